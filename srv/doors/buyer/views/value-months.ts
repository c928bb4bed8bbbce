// What following the proposals comes to, month by month.
import type cds from '@sap/cds'
import { codeNames } from '../../../base/texts/texts.ts'
import { listMonths } from '../../../domain/proposals/index.ts'

/** More rows than a year has for as many sources as are connected. */
const MOST_ROWS = 240

/** Registers the handler of srv/doors/buyer/model/value-months.cds. */
export function handleValueMonths(service: cds.ApplicationService) {
  service.on('valueMonths', async () => {
    const { data } = await listMonths({ limit: MOST_ROWS })
    const nameOf = await codeNames('RejectionReasons')
    return data.map((month) => ({
      ...month,
      decisions: month.decisions.map((group) => ({ ...group, reasonText: nameOf(group.reason) })),
    }))
  })
}
