"""A translator that is none: it looks words up, and puts hard phrases where they stand in the source."""

from types import SimpleNamespace

from editmt.decoding.translation import Translation
from editmt.errors import InputError


class FakeTranslator:
    """Turns each word round, or as `words` says; hard phrases that are not there come last.

    most_words
        Sources with more are refused, as they are by a model without the room.
    hard
        Whether hard phrases are possible at all: with some engines they are not.
    """

    def __init__(self, words=None, most_words=1000, hard=True):
        self.words, self.most_words, self.hard = words or {}, most_words, hard
        self.asked = []

    def translate_all(self, requests):
        return [self._translate(request) for request in requests]

    def _translate(self, request):
        self.asked.append(request)
        if len(request.source.split()) > self.most_words:
            return InputError("the source has too many words")
        if request.hard and not self.hard:
            return InputError("no terms")
        left = list(request.hard)
        output = []
        for word in request.source.split():
            bare = word.rstrip(".,:!?")
            translated = bare if bare in left else self.words.get(bare, bare[::-1])
            if translated in left:
                left.remove(translated)
            if translated:
                output.append(translated + word[len(bare) :])
        text = " ".join([*output, *left])
        return Translation(text, request, SimpleNamespace())
