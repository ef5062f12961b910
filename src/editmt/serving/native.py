"""Our own format: `/v1`, health and metrics."""

import time

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from editmt.decoding.confidence import rate_words
from editmt.errors import InputError
from editmt.serving.dependencies import KeyOf, ServiceOf
from editmt.serving.native_entries import has_entries, make_requests
from editmt.serving.native_schemas import (
    Health,
    ModelDescription,
    Models,
    TranslateAnswer,
    TranslateRequest,
    describe_translation,
)
from editmt.serving.problems import Problem
from editmt.serving.schemas import PROBLEMS

router = APIRouter(responses=PROBLEMS)


@router.post("/v1/translate", response_model=TranslateAnswer)
async def translate(asked: TranslateRequest, service: ServiceOf, key: KeyOf) -> Response:
    """Translate texts, each with the words that are wanted in its translation."""
    started = time.perf_counter()
    try:
        glossary = await service.find_glossary(key, [asked.glossary_id] if asked.glossary_id else [])
        if glossary is None and not has_entries(asked):  # nothing to look for: not worth a thread
            requests = make_requests(asked, None, service.model.languages)
        else:
            requests = await service.on_thread(make_requests, asked, glossary, service.model.languages)
    except InputError as error:
        raise Problem(400, str(error)) from None
    translations = await service.translate(key, requests, trace=asked.trace)
    pipeline = service.model.texts.target
    answers = [
        describe_translation(
            translation, rate_words(translation, pipeline), pipeline.vocabulary.pieces, trace=asked.trace
        )
        for translation in translations
    ]
    milliseconds = (time.perf_counter() - started) * 1000
    return JSONResponse(
        {"model": service.model.name, "translations": answers, "milliseconds": milliseconds}
    )  # not as a `TranslateAnswer`, which would be checked on its way


@router.get("/v1/models")
async def list_models(service: ServiceOf) -> Models:
    """List the models that can be asked."""
    source, target = service.model.languages
    return Models(
        models=[ModelDescription(name=service.model.name, source_language=source, target_language=target)]
    )


@router.get("/health/live")
async def tell_live() -> Health:
    """Tell that the server answers at all."""
    return Health(status="ok")


@router.get("/health/ready", responses={503: {"model": Health}})
async def tell_ready(service: ServiceOf) -> Response:
    """Tell whether requests are welcome: before it stops, the server says no, and still answers."""
    if service.draining:
        return JSONResponse({"status": "draining"}, 503)
    return JSONResponse({"status": "ok"})


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def show_metrics(service: ServiceOf) -> Response:
    """Show all figures in Prometheus' text format."""
    return Response(service.metrics.show(), media_type="text/plain; version=0.0.4; charset=utf-8")
