"""A contract for import-linter: the sub-packages of one package do not import each other.

You can name one sub-package that all others may import. It imports none of them.

The library's own independence contract requires a list of all packages. This one covers new folders automatically.
"""

from itertools import permutations

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class SiblingsContract(Contract):
    type_name = "siblings"

    parent = fields.ModuleField()
    shared = fields.StringField(required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        siblings = graph.find_children(self.parent.name)
        chains = [
            chain
            for importer, imported in permutations(sorted(siblings), 2)
            if imported != f"{self.parent.name}.{self.shared}"
            for chain in graph.find_shortest_chains(importer=importer, imported=imported)
        ]
        return ContractCheck(kept=not chains, metadata={"chains": chains})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for chain in check.metadata["chains"]:
            output.print_error(" -> ".join(chain))
        output.new_line()
