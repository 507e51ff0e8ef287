-- Opens the file in $PERMEND_TEST_FILE as a writer does, waits for diagnostics, takes the first fix on the first one,
-- fixes the rest at once, and saves. What it saw goes to the file in $PERMEND_TEST_SEEN.
local seen = {}

local function finish()
  vim.fn.writefile(seen, vim.env.PERMEND_TEST_SEEN)
  vim.cmd("qall!")
end

local function await(what, condition)
  if not vim.wait(60000, condition, 20) then
    table.insert(seen, "timeout: " .. what)
    finish()
  end
end

local function diagnostics()
  return vim.diagnostic.get(0)
end

vim.cmd("filetype on")
vim.cmd("edit " .. vim.env.PERMEND_TEST_FILE)
await("diagnostics", function() return #diagnostics() == 2 end)
for _, each in ipairs(diagnostics()) do
  table.insert(seen, string.format("%d:%d-%d %s %s", each.lnum, each.col, each.end_col, each.source, each.message))
end

vim.ui.select = function(items, options, choose)
  table.insert(seen, "offered: " .. options.format_item(items[1]))
  choose(items[1], 1)
end
local first = diagnostics()[1]
vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
vim.lsp.buf.code_action()
await("the first fix", function() return #diagnostics() == 1 end)
vim.lsp.buf.code_action({ only = { "source.fixAll.permend" } })
await("all fixes", function() return #diagnostics() == 0 end)
vim.cmd("write")
finish()
