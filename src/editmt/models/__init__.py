"""The models of the paper: EDITOR, the Levenshtein Transformer, and the autoregressive Transformer."""

from editmt.config import ModelConfig
from editmt.models.autoregressive import AutoregressiveModel
from editmt.models.editor import EditModel

Model = EditModel | AutoregressiveModel


def make_model(config: ModelConfig, source_vocabulary: int, target_vocabulary: int) -> Model:
    """Make a model with fresh weights, drawn from torch's generator."""
    kind = AutoregressiveModel if config.kind == "autoregressive" else EditModel
    return kind(config, source_vocabulary, target_vocabulary)


def count_parameters(model: Model) -> int:
    """Return the number of trained numbers; tied ones count once."""
    return sum(parameter.numel() for parameter in model.parameters())


__all__ = ["AutoregressiveModel", "EditModel", "Model", "count_parameters", "make_model"]
