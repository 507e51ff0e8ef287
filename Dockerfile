# permend as a server, with its model inside. It keeps nothing, needs no network and works with a read-only file system:
#   docker build -t permend . && docker run --rm --read-only --cap-drop ALL -p 127.0.0.1:8081:8081 permend
FROM python:3.11-slim-bookworm AS build
WORKDIR /source
COPY constraints.txt LICENSE pyproject.toml README.md ./
COPY src src
RUN python -m venv /opt/permend \
 && /opt/permend/bin/pip install --no-cache-dir --constraint constraints.txt '.[serve]'

FROM python:3.11-slim-bookworm
COPY --from=build /opt/permend /opt/permend
ENV PATH=/opt/permend/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    TMPDIR=/dev/shm
# which can be written to even where nothing else can: several workers keep their counts there
USER 10001:10001
WORKDIR /
EXPOSE 8081
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["python", "-c", "from http.client import HTTPConnection as C; c = C('127.0.0.1', 8081, timeout=4); c.request('GET', '/api/health'); raise SystemExit(c.getresponse().status != 200)"]
ENTRYPOINT ["permend", "serve", "--host", "0.0.0.0", "--port", "8081", "--read-only"]
CMD ["--workers", "2", "--threads", "1"]
