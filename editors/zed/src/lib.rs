//! Starts `permend lsp` for Zed: the program that the settings name (`lsp.permend.binary`), else the one on the PATH.
//! What stands under `lsp.permend.settings` are permend's settings.

use zed_extension_api::serde_json::{json, Value};
use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct Permend;

impl zed::Extension for Permend {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, server: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree(server.as_ref(), worktree)
            .ok()
            .and_then(|settings| settings.binary);
        let (path, arguments) = binary.map_or((None, None), |binary| (binary.path, binary.arguments));
        let command = path
            .or_else(|| worktree.which("permend"))
            .ok_or("permend is not on the PATH: install it with its extra lsp, or set lsp.permend.binary.path")?;
        Ok(Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".to_string()]),
            env: worktree.shell_env(),
        })
    }

    fn language_server_workspace_configuration(
        &mut self,
        server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        let settings = LspSettings::for_worktree(server.as_ref(), worktree)?.settings;
        Ok(Some(json!({ "permend": settings.unwrap_or_else(|| json!({})) })))
    }
}

zed::register_extension!(Permend);
