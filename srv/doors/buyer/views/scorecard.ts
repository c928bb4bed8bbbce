// How a supplier has kept its promises, as its page shows it.
import type cds from '@sap/cds'
import { type Request } from '@sap/cds'
import { z } from 'zod'
import { validate } from '../../../base/input.ts'
import { scorecardOfSupplier } from '../../../domain/proposals/index.ts'
import { withSupplierNames } from '../computed-elements.ts'

/** Registers the handler of srv/doors/buyer/model/scorecard.cds. */
export function handleScorecard(service: cds.ApplicationService) {
  service.on('scorecard', readScorecard)
}

const Asked = z.object({ source: z.int(), supplier: z.string().min(1) })

async function readScorecard({ data }: Request) {
  const { source, supplier } = validate(Asked, data)
  const [named] = await withSupplierNames([await scorecardOfSupplier(source, supplier)])
  return named
}
