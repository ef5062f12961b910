"""Our own glossaries: any file in, terms found, kept on disk, each owner's own."""

import asyncio
import json

from tests.serving.echo import echo_service
from tests.serving.running import client_of

TSV = "sea\tMeer\nstep\nsalt water\tSalzwasser\n"
LINES = "\n".join(
    json.dumps(entry)
    for entry in [
        {"source": "old", "targets": ["betagt", {"text": "alt", "status": "forbidden"}]},
        {"source": "EditMT", "status": "do not translate"},
    ]
)


def run(work, service):
    async def go():
        async with client_of(service) as client:
            return await work(client)

    return asyncio.run(go())


async def create(client, body, **options):
    answer = await client.post("/v1/glossaries", params={"name": "ours"}, content=body, **options)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def translate(client, text, **options):
    body = {"texts": [text], **options}
    answer = await client.post("/v1/translate", json=body)
    return answer.json()["translations"][0] if answer.status_code == 200 else answer


def test_a_file_becomes_a_glossary_and_bad_rows_are_told(tmp_path):
    async def work(client):
        made = await create(client, TSV.encode())
        assert (made["entries"], [bad["line"] for bad in made["problems"]]) == (2, [2])
        found = await translate(client, "The seas", glossary_id=made["id"])
        assert [(term["term"], term["hard"], term["status"]) for term in found["terms"]] == [
            ("Meer", False, "used")
        ]
        hard = await translate(client, "The seas", glossary_id=made["id"], glossary_terms="hard")
        assert [term["hard"] for term in hard["terms"]] == [True]
        off = await translate(client, "The seas", glossary_id=made["id"], glossary_terms="off")
        assert off["terms"] == []

    run(work, echo_service(tmp_path))


def test_all_of_an_entry_comes_back(tmp_path):
    async def work(client):
        made = await create(client, LINES.encode())
        lines = (await client.get(f"/v1/glossaries/{made['id']}/entries")).text
        entries = [json.loads(line) for line in lines.splitlines()]
        assert entries[0]["targets"] == ["betagt", {"text": "alt", "status": "forbidden"}]
        assert entries[1]["status"] == "do not translate"
        found = await translate(client, "EditMT is old", glossary_id=made["id"])
        assert {term["term"]: term["hard"] for term in found["terms"]} == {"betagt": False, "EditMT": True}

    run(work, echo_service(tmp_path))


def test_terms_with_a_text(tmp_path):
    async def work(client):
        entries = [
            {"source": "sea", "target": "Meer", "kind": "hard"},
            {"source": "ship", "target": "Schiff"},
            {"source": "old", "target": "old", "kind": "forbidden"},
            {"source": "EditMT", "kind": "verbatim"},
        ]
        found = await translate(client, {"text": "EditMT on an old sea", "entries": entries})
        assert {term["term"]: term["hard"] for term in found["terms"]} == {"Meer": True, "EditMT": True}
        assert "old" not in found["text"].split()
        bad = await translate(client, {"text": "x", "entries": [{"source": "sea"}]})
        assert (bad.status_code, "a target is needed" in bad.json()["message"]) == (400, True)

    run(work, echo_service(tmp_path))


def test_glossaries_survive_the_server(tmp_path):
    async def first(client):
        return (await create(client, TSV.encode()))["id"]

    identity = run(first, echo_service(tmp_path))

    async def second(client):
        (found,) = (await client.get("/v1/glossaries")).json()["glossaries"]
        assert (found["id"], found["entries"]) == (identity, 2)
        assert "Meer" in (await translate(client, "sea", glossary_id=identity))["text"]
        assert (await client.delete(f"/v1/glossaries/{identity}")).status_code == 204
        assert (await client.get(f"/v1/glossaries/{identity}")).status_code == 404
        assert (await translate(client, "sea", glossary_id=identity)).status_code == 404

    run(second, echo_service(tmp_path))


def test_each_owner_has_glossaries_of_his_own(tmp_path):
    service = echo_service(tmp_path, require_keys=True)
    anna, berta = (
        {"headers": {"authorization": f"Bearer {service.keys.add(name)}"}} for name in ("anna", "berta")
    )

    async def work(client):
        made = await create(client, TSV.encode(), **anna)
        path = f"/v1/glossaries/{made['id']}"
        assert (await client.get(path, **anna)).status_code == 200
        assert (await client.get(path, **berta)).status_code == 404
        assert (await client.delete(path, **berta)).status_code == 404
        assert (await client.get("/v1/glossaries", **berta)).json() == {"glossaries": []}
        stolen = {"texts": ["sea"], "glossary_id": made["id"]}
        assert (await client.post("/v1/translate", json=stolen, **berta)).status_code == 404

    run(work, service)


def test_garbage_is_refused_in_one_line(tmp_path):
    async def work(client):
        for body in (b"", b"\x00\xff" * 40, b"PK\x03\x04", b"one column\n" * 5, b"<tbx>"):
            answer = await client.post("/v1/glossaries", params={"name": "x"}, content=body)
            assert answer.status_code == 400, body
            assert "\n" not in answer.json()["message"]
        assert (await client.post("/v1/glossaries", content=b"a\tb")).status_code == 400, "no name"

    run(work, echo_service(tmp_path))
