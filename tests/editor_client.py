"""A client of a language server, as an editor is one: messages over standard input and output."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

CAPABILITIES = {"workspace": {"configuration": True}, "textDocument": {"hover": {"contentFormat": ["markdown"]}}}


class Editor:
    """A client of the server: requests with their answers, and diagnostics as they come."""

    def __init__(self, folder: Path, command: Sequence[str], settings: dict[str, Any] | None = None) -> None:
        self.settings = settings or {}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder)
        self.folder, self.number, self.version = folder, 0, 0
        self.published: dict[str, list[Any]] = {}
        answer = self.request("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": CAPABILITIES})
        self.capabilities = answer["capabilities"]
        self.notify("initialized", {})

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        out = self.process.stdout
        assert out is not None
        length = 0
        while (line := out.readline().strip()) != b"":
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        message: dict[str, Any] = json.loads(out.read(length))
        method = message.get("method")
        if method == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif method == "workspace/configuration":
            self.send({"id": message["id"], "result": [self.settings.get(item.get("section")) for item in message["params"]["items"]]})
        elif method is not None and "id" in message:
            self.send({"id": message["id"], "result": None})
        return message

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> Any:
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while (message := self.receive()).get("id") != self.number or "method" in message:
            pass
        if "error" in message:
            raise RuntimeError(message["error"]["message"])
        return message["result"]

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str) -> list[Any]:
        """Opens a file, and gives what is said of it."""
        self.published.pop(self.uri(name), None)
        document = {"uri": self.uri(name), "languageId": "yaml", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return self.wait(name)

    def change(self, name: str, text: str) -> list[Any]:
        self.version += 1
        self.published.pop(self.uri(name), None)
        document = {"uri": self.uri(name), "version": self.version + 1}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        return self.wait(name)

    def wait(self, name: str) -> list[Any]:
        while self.uri(name) not in self.published:
            self.receive()
        return self.published[self.uri(name)]

    def at(self, name: str, text: str, word: str, inside: int = 0) -> dict[str, Any]:
        """The place of a word that occurs in a text."""
        before = text[: text.index(word) + inside]
        line = before.count("\n")
        return {"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": len(before) - before.rfind("\n") - 1}}

    def close(self) -> None:
        self.request("shutdown", None)
        self.notify("exit", None)
        assert self.process.wait(timeout=20) == 0
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
