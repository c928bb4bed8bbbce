import cds, { type Request } from '@sap/cds'
import { rememberPerson } from '../authority/index.ts'
import { DECISIONS, decide, type Entered } from './decide.ts'
import { decideMany, type EnteredForMany } from './decide-many.ts'
import { formulaLines, outlookWeeks, riskOf } from './explain.ts'
import { overview } from './overview.ts'
import { addNames } from './names.ts'
import { BOUNDED_ENTITIES, visibleRowsOnly } from './rows.ts'
import { searchByNames } from './search.ts'
import { type Row, showEvents, showProposals, withSources } from './show.ts'
import { addSupplierOrders, forgetSums } from './supplier-orders.ts'
import { visibleProposal } from './visible.ts'

const { SELECT } = cds.ql

export default class BuyerService extends cds.ApplicationService {
  override async init() {
    this.before('*', comesByTheApps)
    this.before('READ', 'Proposals', searchByNames)
    this.before('READ', BOUNDED_ENTITIES, visibleRowsOnly)
    this.before('READ', 'Proposals', ({ query, target }) =>
      withSources((query as { SELECT?: { columns?: [] } }).SELECT?.columns, elementsOf(target)),
    )
    this.before('overview', ({ user }) => rememberPerson(user))
    this.before('READ', 'Events', async (req) => {
      await visibleProposal(this, req)
    })
    for (const [name, decision] of Object.entries(DECISIONS)) {
      this.on(name, 'Proposals', async (req: Request<Entered>): Promise<unknown> => {
        const ID = await decide(this, req, decision)
        forgetSums()
        return this.run(SELECT.one.from('BuyerService.Proposals').where({ ID }))
      })
    }
    for (const [name, decision] of Object.entries(DECISIONS)) {
      this.on(`${name}Many`, (req: Request<EnteredForMany>) =>
        decideMany(this, req, decision).finally(forgetSums),
      )
    }
    this.on('risk', 'Proposals', (req: Request) => riskOf(this, req))
    this.on('READ', 'FormulaLines', async (req) => {
      const lines = await formulaLines(this, req)
      // Never paged; their count goes with them.
      return Object.assign(lines, { $count: lines.length })
    })
    this.on('outlook', 'Proposals', (req: Request) => outlookWeeks(this, req))
    this.on('overview', () => overview(this))
    this.after('READ', 'Proposals', async (result: unknown, { query }) => {
      const rows = rowsOf(result)
      await addNames(rows, asked(query))
      await addSupplierOrders(this, rows, asked(query))
      await showProposals(rows)
    })
    this.after('READ', 'Events', (result: unknown) => showEvents(rowsOf(result)))
    return super.init()
  }
}

/** Users are shared by all their requests: this one gets a copy that says which door it came through. */
function comesByTheApps(req: Request) {
  const { user } = req
  const attr = { ...user.attr, via: 'ui' }
  const copy = Object.create(Object.getPrototypeOf(user) as object) as typeof user
  const own = Object.assign(copy, user, { attr })
  req.user = own
  cds.context!.user = own
}

const elementsOf = (target: unknown) => (target as { elements: object }).elements

const rowsOf = <T = Row>(result: unknown) => [result].flat().filter(Boolean) as T[]

/** The elements that a query names; undefined where it asks for all. */
function asked(query: unknown): Set<string> | undefined {
  const { columns } = (query as { SELECT: { columns?: (string | { ref?: string[] })[] } }).SELECT
  if (!columns || columns.includes('*')) return undefined
  return new Set(
    columns.flatMap((column) => (typeof column === 'string' ? column : (column.ref ?? []))),
  )
}
