;; Opens the file in $PERMEND_TEST_FILE as a writer does, waits for diagnostics, takes the first fix on the first one,
;; fixes the rest at once, and saves. What it saw goes to the file in $PERMEND_TEST_SEEN.
(defvar seen nil)

(defun finish ()
  (with-temp-file (getenv "PERMEND_TEST_SEEN")
    (insert (mapconcat #'identity (reverse seen) "\n")))
  (kill-emacs 0))

(defun await (what condition)
  (let ((until (+ (float-time) 60)))
    (while (not (funcall condition))
      (when (> (float-time) until)
        (push (concat "timeout: " what) seen)
        (finish))
      (accept-process-output nil 0.05))))

(defun found ()
  (sort (flymake-diagnostics)
        (lambda (a b) (< (flymake-diagnostic-beg a) (flymake-diagnostic-beg b)))))

(defun completing-read (prompt choices &rest _)
  (let ((first (caar choices)))
    (push (concat "offered: " first) seen)
    first))

(setq eglot-sync-connect 60
      last-nonmenu-event ?x)            ; or eglot opens a menu for the mouse
(find-file (getenv "PERMEND_TEST_FILE"))
(run-hooks 'post-command-hook)          ; there are no commands here that it could follow
(await "a server" (lambda () (bound-and-true-p eglot--managed-mode)))
(await "diagnostics" (lambda () (= 2 (length (found)))))
(dolist (each (found))
  (push (format "%d-%d %s" (flymake-diagnostic-beg each) (flymake-diagnostic-end each) (flymake-diagnostic-text each))
        seen))
(let ((first (car (found))))
  (eglot-code-actions (flymake-diagnostic-beg first) (flymake-diagnostic-end first) nil t))
(eglot--signal-textDocument/didChange)
(await "the first fix" (lambda () (= 1 (length (found)))))
(eglot-code-actions (point-min) (point-max) "source.fixAll.permend" t)
(eglot--signal-textDocument/didChange)
(await "all fixes" (lambda () (= 0 (length (found)))))
(save-buffer)
(finish)
