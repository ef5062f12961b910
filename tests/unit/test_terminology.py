import pytest

from editmt import Request
from editmt.decoding.terminology import add_terms, find_wishes, restore_case
from editmt.errors import InputError
from editmt.text.glossary import Glossary

GLOSSARY = Glossary.parse(
    "source\ttarget\tstatus\tcase\n"
    "driver\tTreiber\t\t\ndriver\tGerätetreiber\tadmitted\t\ndriver\tDriver\tforbidden\t\n"
    "with\tmit\t\t\nWeblate\t\tdo not translate\t\nwindow\tFenster Driver\t\t\niOS\tiOS\t\texact\n"
)


def request(source, mode="soft", **more):
    return add_terms(Request.of(source, **more), GLOSSARY, mode)


def test_soft():
    asked = request("A driver for Weblate")
    assert asked.terms == (("Treiber", "Gerätetreiber"),)
    assert asked.hard == ("Weblate",), "copied, in whichever mode"
    assert set(asked.forbidden) == {"Driver", "driver"}


def test_hard_and_off():
    assert request("A driver, two", "hard").hard == ("Treiber",)
    assert request("Weblate's driver", "off") == Request.of("Weblate's driver")
    with pytest.raises(InputError, match="terms can be soft, hard, off, not 'loud'"):
        request("x", "loud")


def test_what_the_request_asks_for_stays():
    asked = request("A driver", terms=["neu"], hard=["Haus"], forbidden=["alt"])
    assert (asked.terms[0], asked.hard, asked.forbidden[0]) == (("neu",), ("Haus",), "alt")


def test_what_one_term_forbids_another_may_want():
    asked = request("The driver's window", "hard")
    assert "Fenster Driver" in asked.hard
    assert "Driver" not in asked.forbidden


@pytest.mark.parametrize(
    ("source", "form"),
    [
        ("With this", "Mit"),
        ("it is with this", "mit"),
        ("“With this", "Mit"),
        ("Yes. With this", "Mit"),
        ("with", "mit"),
    ],
)
def test_the_case_follows_the_sentence(source, form):
    (wish,) = find_wishes(source, GLOSSARY, "hard")
    assert wish.forms[0] == form
    assert {"mit", "Mit"} == set(wish.forms)


def test_the_case_of_hard_words_follows_their_place():
    wishes = find_wishes("With this", GLOSSARY, "hard")
    assert restore_case("Das Mit dem", "With this", wishes) == "Das mit dem"
    assert restore_case("Mit dem", "With this", wishes) == "Mit dem"
    exact = find_wishes("iOS is", GLOSSARY, "hard")
    assert restore_case("iOS ist", "iOS is", exact) == "iOS ist"
