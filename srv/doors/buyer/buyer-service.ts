import cds, { type Request } from '@sap/cds'
import { rememberCaller } from '../../domain/authority/index.ts'
import {
  assertHeard,
  decideMany,
  decideProposalOf,
  type DecisionInput,
  DECISIONS,
  type MassDecisionInput,
  readLookBefore,
  tellDecided,
} from './decide.ts'
import { handleCosts } from './costs.ts'
import {
  filterByMore,
  handleSmallLines,
  refuseUnseenWay,
  RESTRICTED_ENTITIES,
  restrictRows,
  searchByNames,
} from './filters.ts'
import { addWhatCame, findBySeries, type FormerDecision } from './what-changed.ts'
import {
  addComputedElements,
  addDataAsOf,
  addForecastTexts,
  addIsDue,
  addNames,
  addReasonNames,
  type ShownProposal,
  showBlocked,
  SOURCE_ELEMENTS,
} from './computed-elements.ts'
import { addSourceElements } from '../../base/odata/query-limits.ts'
import { sortByCode } from '../../base/texts/codes.ts'
import { handleItems, settleException, showExceptions, showItems } from './items.ts'
import {
  addBuys,
  readBridge,
  readCleanedDays,
  readFormulaLines,
  readOutlookWeeks,
  readRisk,
} from './explain.ts'
import { addContracts, addOrderUnits, handleHandOver } from './hand-over.ts'
import { handleHome, readOverview } from './home.ts'
import { addResponsible, handleAssigned } from './assigned.ts'
import { handleExploring } from './explore.ts'
import { handleOverrides } from './overrides.ts'
import { addSupplierOrders, clearOpenSums, handleSupplierMails } from './supplier-orders.ts'
import { readVisibleProposal } from './visible-proposal.ts'

export default class BuyerService extends cds.ApplicationService {
  override async init() {
    this.before('*', setChannel)
    this.before('READ', ['Proposals', 'Exceptions', 'Items'], searchByNames)
    this.before('READ', 'Proposals', filterByMore)
    this.before('READ', (req) => refuseUnseenWay(this, req))
    this.before('READ', RESTRICTED_ENTITIES, restrictRows)
    this.before('READ', 'Decisions', (req) => findBySeries(this, req))
    const withCodes = ['Proposals', 'Exceptions', 'Blocked', 'Items', 'ForecastOverrides']
    this.before('READ', withCodes, sortByCode)
    this.before('READ', [...withCodes, 'Decisions'], (req) =>
      addSourceElements(req, SOURCE_ELEMENTS),
    )
    this.before('*', ({ event, user }) => (event === 'READ' ? undefined : rememberCaller(user)))
    this.before('READ', 'Events', async (req) => {
      await readVisibleProposal(this, req)
    })
    for (const [name, decision] of Object.entries(DECISIONS)) {
      this.before(name, 'Proposals', assertHeard)
      this.before(`${name}Many`, assertHeard)
      this.on(name, 'Proposals', async (req: Request<DecisionInput>): Promise<unknown> => {
        const proposal = await decideProposalOf(this, req, decision)
        clearOpenSums()
        tellDecided(req, decision, [proposal])
        const { ID } = proposal
        return this.run(SELECT.one.from('BuyerService.Proposals').where({ ID }))
      })
      this.on(`${name}Many`, (req: Request<MassDecisionInput>) =>
        decideMany(this, req, decision).finally(clearOpenSums),
      )
    }
    this.on('lookBefore', (req: Request<MassDecisionInput>) => readLookBefore(req))
    this.on('settle', 'Exceptions', async (req: Request): Promise<unknown> => {
      const ID = await settleException(req)
      return this.run(SELECT.one.from('BuyerService.Exceptions').where({ ID }))
    })
    this.on('risk', 'Proposals', (req: Request) => readRisk(this, req))
    this.on('READ', 'FormulaLines', async (req) => {
      const lines = await readFormulaLines(this, req)
      // The lines are never paged, so their count is the length.
      return Object.assign(lines, { $count: lines.length })
    })
    this.on('outlook', 'Proposals', (req: Request) => readOutlookWeeks(this, req))
    this.on('cleaning', 'Proposals', (req: Request) => readCleanedDays(this, req))
    this.on('bridge', 'Proposals', (req: Request) => readBridge(this, req))
    this.on('overview', () => readOverview(this))
    this.after('READ', 'Proposals', async (result: unknown, { query }) => {
      const rows = rowsOf(result)
      await addNames(rows, requestedElements(query))
      await addDataAsOf(rows, requestedElements(query))
      await addSupplierOrders(this, rows, requestedElements(query))
      await addForecastTexts(rows, requestedElements(query))
      await addOrderUnits(rows, requestedElements(query))
      await addContracts(rows, requestedElements(query))
      await addIsDue(rows, requestedElements(query))
      await addResponsible(rows, requestedElements(query))
      await addBuys(rows, requestedElements(query))
      await addComputedElements(rows)
    })
    this.after('READ', 'Decisions', async (result: unknown, { query }) => {
      const requested = requestedElements(query)
      if (!requested || requested.has('whatCame')) await addWhatCame(rowsOf<FormerDecision>(result))
    })
    this.after('READ', 'Exceptions', (result: unknown) => showExceptions(rowsOf(result)))
    this.after('READ', 'Items', (result: unknown, { query }) =>
      showItems(rowsOf(result), requestedElements(query)),
    )
    this.after('READ', 'Events', (result: unknown) => addReasonNames(rowsOf(result)))
    this.after('READ', 'Blocked', (result: unknown) => showBlocked(rowsOf(result)))
    handleAssigned(this)
    handleCosts(this)
    handleExploring(this)
    handleHome(this)
    handleItems(this)
    handleOverrides(this)
    handleSmallLines(this)
    handleSupplierMails(this)
    handleHandOver(this)
    return super.init()
  }
}

/** CAP shares a user object among requests: this request gets a copy that names its channel. */
function setChannel(req: Request) {
  const { user } = req
  const attr = { ...user.attr, via: 'ui' }
  const copy = Object.create(Object.getPrototypeOf(user) as object) as typeof user
  const own = Object.assign(copy, user, { attr })
  req.user = own
  cds.context!.user = own
}

const rowsOf = <T = ShownProposal>(result: unknown) => [result].flat().filter(Boolean) as T[]

/** The elements that a query selects; undefined for all. */
function requestedElements(query: unknown): Set<string> | undefined {
  const { columns } = (query as { SELECT: { columns?: (string | { ref?: string[] })[] } }).SELECT
  if (!columns || columns.includes('*')) return undefined
  return new Set(
    columns.flatMap((column) => (typeof column === 'string' ? column : (column.ref ?? []))),
  )
}
