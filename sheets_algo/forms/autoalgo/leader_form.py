"""The form of new leaders."""

from __future__ import annotations

from engine.autoalgo.new_leader import NewLeader, NewLeaderInputs
from engine.autoalgo.records import Leader
from engine.columns import folded
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.autoalgo import checks
from sheets_algo.forms.autoalgo.columns import LeaderRequest, NationRow
from sheets_algo.forms.autoalgo.shared_form import SharedForm
from sheets_algo.forms.base import FormResult, FormSource
from sheets_algo.forms.row_reader import RowReader, typed_fields


class LeaderForm(SharedForm[NewLeaderInputs]):
    """Reader of requests for new leaders."""

    key = "autoalgo-leader"
    prefix = "L-"
    request = LeaderRequest
    drawn_once = "leader"
    inputs = NewLeaderInputs

    def __init__(self, source: FormSource) -> None:
        super().__init__(source)
        self.ruleset = NewLeader()

    def read(self, row: Row, database: Database) -> FormResult[NewLeaderInputs]:
        """Read one request.

        Raises:
            Rejected: The request has errors, or the leader exists already.
        """
        reading = RowReader(database)
        request = reading.row(row, LeaderRequest).record
        reading.add(*database.table(NationRow).header_problems, *database.table(Leader).header_problems)
        if request is not None:
            reading.add(*checks.check_new_leader(row, request.leader, database))
        warnings = reading.finish()
        assert request is not None
        typed = typed_fields(request, NewLeaderInputs)
        inputs = NewLeaderInputs(**typed, nations=request.nation, seed_given=request.seed is not None)
        return FormResult(inputs, (), warnings)

    def subject(self, inputs: NewLeaderInputs) -> str:
        """Return the leader's name."""
        return folded(inputs.leader)

    def forecast(self, inputs: NewLeaderInputs) -> str:
        """Return the range of the skills."""
        return f"{inputs.trait} {inputs.trait_value}, each other skill 0 to {inputs.others_most}"
