"""The recipes, as data: the paper's three tasks, and small corpora for machines without a GPU."""

from collections.abc import Mapping

from editmt.data.filters import LengthFilter
from editmt.data.recipes import Part, Passage, PublicFile, Recipe
from editmt.data.texts import MosesText, SentencePieceText

SPLITS = ("train", "valid", "test")
MULTI30K = "https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw"
TANAKA = "https://raw.githubusercontent.com/odashi/small_parallel_enja/master"
WMT16 = "http://data.statmt.org/wmt16/translation-task"

CHECKSUMS: Mapping[str, Mapping[str, str]] = {
    "multi30k.en-de": {
        "train.en": "460a15fbd157e34a7a9957ee388c1ca247fe47af3ef25fb50442af6c274e0fc6",
        "train.de": "128675a4ceba176e2180e4f71ba3095b0b896475204506bc8b21ab4189a9f033",
        "valid.en": "1f2a23d992769b5b3d209b0a10dd0b77c08cceb1f20dfb97ed0aafa49d107227",
        "valid.de": "660e09eb7e1da2f856ea13ee5ad3cf6d36b3d5b0b733c857e94c5747a3dfc660",
        "test.en": "399a4382932c1aadd3ceb9bef1008d388a64c76d4ae4e9d4728c6f4301cac182",
        "test.de": "4be6b5b3236b79c25475c6bb829800a7ce559e9ba7a1f6c2394fe4d40be46d16",
    },
    "tanaka.en-ja": {
        "train.en": "148b05dcd28638fe20ee84f2b1127001c80982be352007dda241fb759adadc76",
        "train.ja": "fc81a1434349ec98a449d7ae9cd2530057f689637684ecfed3501ea6a8a07ecc",
        "valid.en": "04a2673449770657fd5e3b963cb856be3130923212b6db8ac7eaeef18f06c041",
        "valid.ja": "cd534f56b8639dc130f86a365e5ec0aa70042000bdd740a622fbbf8b6be4acca",
        "test.en": "45edb380749ec2b49cca7618fc5a7595fc9f791180672ba466b90c873a4aa8bf",
        "test.ja": "d37dc460a81b064e4106c8913eb11fa300da05cf3f58a7a5bbfec7e20947ddef",
    },
    "tatoeba-sts.ro-en": {
        "train.ro": "f259ba8791da1bed4837388bfc1b5766a775c1f43592b40bd16d405db9861591",
        "train.en": "7885c2c6ea0dbc7723325180bd681b3113b5af4bda8361e7b4f750824f52baf5",
        "valid.ro": "ae44904488fd9ba3749345d87cff72cc421a7e2d7b637932dcf0a98a2c9eb50d",
        "valid.en": "c238af6095ba3510834ca12394bea351899f49a2eab14768e863fc9e921bd9c6",
        "test.ro": "b4487a091f47e55c9262c4fb827a4b308d7c01c38a996ad8c879101269a9f7d6",
        "test.en": "cce942fd513d8f43877d4ceefa7e40766e5e2d74099784255709cc68b7018aaf",
    },
    "tatoeba.en-de": {
        "train.en": "614ee45ac3f599d5477d88e2d5ab3a45b6fce74f9155b8c4fa14e00c32e19f3a",
        "train.de": "30e93a84275907402dfdc4a76ac9089be90b898fc992e5d092d0c9b06d63ad37",
        "valid.en": "c0294574611cdc70997bdc21bc8e5d1e9bfb07df72ae53c6d3236007257e5668",
        "valid.de": "269da16f5a71d9454d86b284e3f9498dae4a2804208eb53add41f8580e6a021e",
        "test.en": "e77565d7504e4dc47b66b5f104c5bf512a657f23a30120c5575c07f0035327ae",
        "test.de": "caa592dfd6ca7bd259e0f74e100dafbfa4dbc0101ee9ce84ec63a1f009e71599",
    },
    "libreoffice.en-de": {
        "train.en": "bdd40af5375ba243bf2b2db03bd59262d756c4e7091b8c00c6cda265a17f8439",
        "train.de": "c56ca2ef1b0ed0f5fc5bf6be78d1c55c72db5c39a11be339d752271f24ad81fb",
        "valid.en": "60a9368c1d7a62bdcc74a351723f10fd63fa828f22673a337a03b37e3f3b7de0",
        "valid.de": "d3f3fd97e64b8f8511138a1d87bcba4cc496ab8f2660acb276d3357298878434",
    },
    "phpdoc.en-de": {
        "train.en": "2a95e539c5298d6f29e6742de71fc9c77e41c5f9c2d3b9cc3e89ba950d86c3cc",
        "train.de": "3c2fa7a93c2951ae26608a7aee1fb01aaa7978cff696dc99096dc84ea6170af2",
    },
    "europarl.en-de": {
        "train.en": "50ad639888acfc1c700bf8cb0515f240b30a4640e46b69cb77e55138c2edd435",
        "train.de": "6365538ba3a5a35eb4728c4a5f01e987ad2dff10e6c01982cbc6009f7bba6da4",
        "valid.en": "d6d8aec3655f1362131326a804222e572d451fb6c2c2bb835ffd7f2061aa866d",
        "valid.de": "8722b8e07942f44df5387e6f037c130c70edea13f3d0ec64ac17631f544b2ed1",
        "test.en": "07b547f9f0541c79fe8b99ef933bef70c0b4597fffee1e2ad9303aae3b7bd3c2",
        "test.de": "0907c19a9dfdd737ac76945a29babcae4649107e757930f040f837752a619f4f",
    },
}
"""SHA-256 of the small corpora's files."""

ARCHIVES = {
    "training-parallel-ep-v8.tgz": "8917bd3bef3bc894c8519ca1f8a4c7c330aad08a1263655a9d99ee13d532e3c7",
    "training-parallel-europarl-v7.tgz": "0224c7c710c8a063dfd893b0cc0830202d61f4c75c17eb8e31836103d27d96e7",
    "training-parallel-commoncrawl.tgz": "c7a74e2ea01ac6c920123108627e35278d4ccb5701e15428ffa34de86fa3a9e5",
    "training-parallel-nc-v12.tgz": "2b45f30ef1d550d302fd17dd3a5cbe19134ccc4c2cf50c2dae534aee600101a2",
}
"""SHA-256 of WMT's archives, as TensorFlow Datasets publishes them (wmt1*_translate.txt); we have
found none of the others."""

MULTI30K_NAMES = {"train": "train", "valid": "val", "test": "test_2016_flickr"}
TANAKA_NAMES = {"train": "train", "valid": "dev", "test": "test"}


def _multi30k_url(split: str, language: str) -> str:
    return f"{MULTI30K}/{MULTI30K_NAMES[split]}.{language}.gz"


def _tanaka_url(split: str, language: str) -> str:
    return f"{TANAKA}/{TANAKA_NAMES[split]}.{language}"


URLS = {"multi30k.en-de": _multi30k_url, "tanaka.en-ja": _tanaka_url}
"""Where single files are offered; the other small corpora are extracts, made from what their homes offer."""


def _small_splits(corpus: str) -> dict[str, tuple[Part, ...]]:
    """Return the splits that a small corpus has files for."""
    source, target = corpus.split(".")[1].split("-")
    splits: dict[str, tuple[Part, ...]] = {}
    for split in SPLITS:
        if f"{split}.{source}" in CHECKSUMS[corpus]:
            splits[split] = ((_passage(corpus, split, source), _passage(corpus, split, target)),)
    return splits


def _together(*corpora: str) -> dict[str, tuple[Part, ...]]:
    """Return the splits of several small corpora, one after the other."""
    each = [_small_splits(corpus) for corpus in corpora]
    return {
        split: tuple(part for splits in each for part in splits.get(split, ()))
        for split in SPLITS
        if any(split in splits for splits in each)
    }


def _passage(corpus: str, split: str, language: str) -> Passage:
    name = f"{split}.{language}"
    url = URLS[corpus](split, language) if corpus in URLS else None
    return Passage(PublicFile(corpus, name, CHECKSUMS[corpus][name], url))


def _archive(corpus: str, url: str) -> PublicFile:
    name = url.rpartition("/")[2]
    return PublicFile(corpus, name, ARCHIVES.get(name), url)


def _members(file: PublicFile, source: str, target: str) -> Part:
    return Passage(file, source), Passage(file, target)


MULTI30K_EN_DE = Recipe(
    name="multi30k.en-de",
    languages=("en", "de"),
    homepage="https://github.com/multi30k/dataset",
    licence="none stated (research)",
    splits=_small_splits("multi30k.en-de"),
)
TANAKA_EN_JA = Recipe(
    name="tanaka.en-ja",
    languages=("en", "ja"),
    homepage="https://github.com/odashi/small_parallel_enja",
    licence="CC-BY (Tanaka corpus)",
    splits=_small_splits("tanaka.en-ja"),
    text=SentencePieceText(joint=False),
)
TATOEBA_STS_RO_EN = Recipe(
    name="tatoeba-sts.ro-en",
    languages=("ro", "en"),
    homepage="https://tatoeba.org and https://github.com/dumitrescustefan/RO-STS",
    licence="CC-BY 2.0 FR; CC-BY-SA 4.0",
    splits=_small_splits("tatoeba-sts.ro-en"),
)
TATOEBA_EN_DE = Recipe(
    name="tatoeba.en-de",
    languages=("en", "de"),
    homepage="https://tatoeba.org and https://github.com/Helsinki-NLP/Tatoeba-Challenge",
    licence="CC-BY 2.0 FR",
    splits=_small_splits("tatoeba.en-de"),
)
LIBREOFFICE_EN_DE = Recipe(
    name="libreoffice.en-de",
    languages=("en", "de"),
    homepage="Debian's packages libreoffice-help-de and libreoffice-l10n-de",
    licence="MPL-2.0",
    splits=_small_splits("libreoffice.en-de"),
)
PHPDOC_EN_DE = Recipe(
    name="phpdoc.en-de",
    languages=("en", "de"),
    homepage="https://github.com/php/doc-en and https://github.com/php/doc-de",
    licence="CC-BY 3.0",
    splits=_small_splits("phpdoc.en-de"),
)
SHIPPED_EN_DE = Recipe(
    name="shipped.en-de",
    languages=("en", "de"),
    homepage="those of tatoeba.en-de, libreoffice.en-de and phpdoc.en-de",
    licence="CC-BY 2.0 FR; MPL-2.0; CC-BY 3.0",
    splits=_together("tatoeba.en-de", "libreoffice.en-de", "phpdoc.en-de"),
    text=SentencePieceText(size=10_000),
)
"""What the model inside the package is trained on: text whose licences let it be given away."""
EUROPARL_EN_DE = Recipe(
    name="europarl.en-de",
    languages=("en", "de"),
    homepage="https://www.statmt.org/europarl",
    licence="none stated",
    splits=_small_splits("europarl.en-de"),
)

MOSES_CLEANING = LengthFilter(longest=250, ratio=1.5)
"""What fairseq's data scripts ask of Moses' clean-corpus; their users' logs show the paper's 3,961k pairs."""

PAPER_SAMPLE = 200_000
"""Differs: the paper learns BPE from all text, we from so many pairs, which fit into memory (`--sample`)."""

WMT16_RO_EN = Recipe(
    name="wmt16.ro-en",
    languages=("ro", "en"),
    homepage="https://www.statmt.org/wmt16/translation-task.html",
    licence="none stated (research)",
    splits={
        "train": (
            _members(
                _archive("wmt16.ro-en", f"{WMT16}/training-parallel-ep-v8.tgz"),
                "training-parallel-ep-v8/europarl-v8.ro-en.ro",
                "training-parallel-ep-v8/europarl-v8.ro-en.en",
            ),
            _members(
                _archive("wmt16.ro-en", "https://object.pouta.csc.fi/OPUS-SETIMES/v2/moses/en-ro.txt.zip"),
                "SETIMES.en-ro.ro",
                "SETIMES.en-ro.en",
            ),
        ),
        "valid": (
            _members(
                _archive("wmt16.ro-en", f"{WMT16}/dev-romanian-updated.tgz"),
                "dev/newsdev2016-roen-src.ro.sgm",
                "dev/newsdev2016-roen-ref.en.sgm",
            ),
        ),
        "test": (
            _members(
                _archive("wmt16.ro-en", f"{WMT16}/test.tgz"),
                "test/newstest2016-roen-src.ro.sgm",
                "test/newstest2016-roen-ref.en.sgm",
            ),
        ),
    },
    text=MosesText(("ro", "en"), operations=40_000),
    filter=MOSES_CLEANING,
    sample=PAPER_SAMPLE,
)
WMT14_EN_DE = Recipe(
    name="wmt14.en-de",
    languages=("en", "de"),
    homepage="https://www.statmt.org/wmt14/translation-task.html",
    licence="none stated (research)",
    splits={
        "train": (
            _members(
                _archive("wmt14.en-de", "http://statmt.org/wmt13/training-parallel-europarl-v7.tgz"),
                "training/europarl-v7.de-en.en",
                "training/europarl-v7.de-en.de",
            ),
            _members(
                _archive("wmt14.en-de", "http://statmt.org/wmt13/training-parallel-commoncrawl.tgz"),
                "commoncrawl.de-en.en",
                "commoncrawl.de-en.de",
            ),
            _members(
                _archive(
                    "wmt14.en-de",
                    "http://data.statmt.org/wmt17/translation-task/training-parallel-nc-v12.tgz",
                ),
                "training/news-commentary-v12.de-en.en",
                "training/news-commentary-v12.de-en.de",
            ),
        ),
        "valid": (
            _members(
                _archive("wmt14.en-de", "http://data.statmt.org/wmt17/translation-task/dev.tgz"),
                "dev/newstest2013.en",
                "dev/newstest2013.de",
            ),
        ),
        "test": (
            _members(
                _archive("wmt14.en-de", "http://statmt.org/wmt14/test-full.tgz"),
                "test-full/newstest2014-deen-src.en.sgm",
                "test-full/newstest2014-deen-ref.de.sgm",
            ),
        ),
    },
    text=MosesText(("en", "de"), operations=37_000),
    filter=MOSES_CLEANING,
    sample=PAPER_SAMPLE,
)
WAT17_EN_JA = Recipe(
    name="wat17.en-ja",
    languages=("en", "ja"),
    homepage="http://lotus.kuee.kyoto-u.ac.jp/WAT/ (the ASPEC corpus, given to those who sign for it)",
    licence="ASPEC terms of use (research)",
    splits={
        split: (
            (
                Passage(PublicFile("wat17.en-ja", f"{split}.en")),
                Passage(PublicFile("wat17.en-ja", f"{split}.ja")),
            ),
        )
        for split in SPLITS
    },
    text=SentencePieceText(size=16_384, model_type="unigram", joint=False),
    sample=PAPER_SAMPLE,
)

RECIPES: Mapping[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        MULTI30K_EN_DE,
        TANAKA_EN_JA,
        TATOEBA_STS_RO_EN,
        TATOEBA_EN_DE,
        LIBREOFFICE_EN_DE,
        PHPDOC_EN_DE,
        SHIPPED_EN_DE,
        EUROPARL_EN_DE,
        WMT16_RO_EN,
        WMT14_EN_DE,
        WAT17_EN_JA,
    )
}
