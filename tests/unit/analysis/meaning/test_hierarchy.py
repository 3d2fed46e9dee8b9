from racehound.analysis.program import Program
from racehound.source.module import SourceModule

DIAMOND = """
class Top: pass
class Left(Top): pass
class Right(Top): pass
class Bottom(Left, Right): pass
class Other: pass
class Both(Other, Left): pass
"""


def test_relatives_are_those_of_one_family() -> None:
    hierarchy = Program.of(SourceModule.from_text(DIAMOND)).hierarchy
    for item in hierarchy.classes:
        related = [other for other in hierarchy.classes if hierarchy.are_related(item, other)]

        assert set(related) == set(hierarchy.family(item))
    top, other, both = hierarchy.classes[0], hierarchy.classes[4], hierarchy.classes[5]
    assert not hierarchy.are_related(top, other)
    assert hierarchy.are_related(other, both)
