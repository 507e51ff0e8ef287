"""The protocol beneath the server: pygls, with the answers that it owes to clients that get it wrong.

In: messages of any kind. Out: for a request always one answer, an error where nothing else is right; for anything else
that is wrong, a line in the log, which never holds what was written.

==========================================  ==================================
no JSON                                     -32700, without an id
no message, or a second ``initialize``      -32600
parameters that are none                    -32602
a request before ``initialize``             -32002
a request behind ``shutdown``               -32600
==========================================  ==================================
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method

logger = logging.getLogger(__name__)
messages = logging.getLogger(f"{__name__}.messages")
"""Hears all that comes, with what somebody wrote (`permend.lsp.log`)."""

INVALID_PARAMS, REQUEST_FAILED, SERVER_CANCELLED = -32602, -32803, -32802


@dataclass(frozen=True)
class _Malformed:
    """A message whose parameters are not those of its method."""

    id: Any
    method: Any


class Protocol(LanguageServerProtocol):
    """Hears messages and answers."""

    on_open: Callable[[types.DidOpenTextDocumentParams], None]
    on_change: Callable[[types.DidChangeTextDocumentParams], None]
    on_close: Callable[[types.DidCloseTextDocumentParams], None]

    def send(self, method: str, params: Any) -> None:
        """Send a notification whose parameters are plain dictionaries: many are sent faster so."""
        self._send_data({"jsonrpc": self.VERSION, "method": method, "params": params})

    @property
    def has_been_shut_down(self) -> bool:
        """Whether the client has said that it wants no more."""
        return self._shutdown

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Turn what was read into a message."""
        if "jsonrpc" not in data:
            return data
        messages.debug("%s", data)
        if data["jsonrpc"] != self.VERSION:
            return dict(data)
        if data.get("method") == types.INITIALIZED and data.get("params") is None:
            data = data | {"params": {}}  # it has none to speak of, and all the work begins with it
        try:
            return super().structure_message(data)
        except JsonRpcException:
            return _Malformed(data.get("id"), data.get("method"))

    def handle_message(self, message: Any) -> None:
        """Hand a message on, unless it must not be there."""
        name, method = getattr(message, "id", None), getattr(message, "method", None)
        is_request = name is not None and method is not None
        if isinstance(message, _Malformed):
            logger.warning("parameters of %s cannot be used", _shown(method))
            if is_request:
                self._refuse(name, JsonRpcInvalidParams("these are not the parameters of this method"))
        elif getattr(message, "jsonrpc", None) != self.VERSION:
            logger.warning("something came that is no message")
            known = message.get("id") if isinstance(message, dict) else name
            self._refuse(known if isinstance(known, int | str) else None, JsonRpcInvalidRequest("this is no message"))
        elif is_request and (error := self._untimely(method)):
            logger.warning("%s came at the wrong time", _shown(method))
            self._refuse(name, error)
        elif method is not None and self._workspace is None and method not in (types.INITIALIZE, types.EXIT):
            logger.warning("%s came before initialize, and was passed by", _shown(method))
        else:
            super().handle_message(message)

    def _untimely(self, method: str | None) -> JsonRpcException | None:
        if self._shutdown:
            return JsonRpcInvalidRequest("the server has been shut down")
        if self._workspace is None and method != types.INITIALIZE:
            return JsonRpcServerNotInitialized("initialize must come first")
        if self._workspace is not None and method == types.INITIALIZE:
            return JsonRpcInvalidRequest("initialize came twice")
        return None

    def answer_trouble(self, error: Exception) -> None:
        """Answer something that could not even be read."""
        if isinstance(error, json.JSONDecodeError | UnicodeDecodeError | RecursionError):
            logger.warning("something came that is no JSON")
            self._refuse(None, JsonRpcParseError("this is no JSON"))
        elif isinstance(error, JsonRpcInternalError):  # a bug; what it says may hold the writer's words
            where = (error.data or {}).get("traceback", ["", ""])[-1].strip().partition("\n")[0]
            logger.error("a message could not be handled: %s", where)
        elif not isinstance(error, JsonRpcException):  # those are answers
            logger.error("a message could not be handled: %s", type(error).__name__)

    def _refuse(self, name: int | str | None, error: JsonRpcException) -> None:
        answer = {"code": error.code, "message": error.message}
        self._send_data({"jsonrpc": self.VERSION, "id": name, "error": answer})

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Have a document opened; pygls keeps none, for its lines end elsewhere than the protocol's."""
        self.on_open(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Have a document changed."""
        self.on_change(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Have a document closed."""
        self.on_close(params)


def _shown(method: Any) -> str:
    """Return the name of a method for the log, if it is one of the protocol's: else it could be anything."""
    return str(method) if isinstance(method, str) and method in types.METHOD_TO_TYPES else "an unknown method"
