// Proposals: how they are made, decided, listed and explained, and the ordering rules.
export { approve, cancel, decline, snooze } from './decide/decisions.ts'
export { assignedTo, readAssigned } from './assigned/responsible.ts'
export {
  commentOn,
  listNotices,
  type Notice,
  type NoticeKind,
  passOn,
  toldOfMe,
  type UnsentNotice,
  unsentNotices,
} from './assigned/notices.ts'
export { housekeepProposals, recalculateProposal } from './decide/housekeeping.ts'
export { recommend } from './decide/recommend.ts'
export { EXCEPTION_KINDS } from './run/exceptions.ts'
export { type Exception, findException, listExceptions, settleException } from './exceptions.ts'
export { type Alternative, alternativesTo, whatIfOfProposal } from './explain/alternatives.ts'
export {
  costsQuestion,
  costsStatement,
  type CostsInput,
  type CostsOfGroup,
  type CostsPreview,
  type CostsStatement,
  type FoundCosts,
  previewCosts,
  setCosts,
} from './costs/in-force.ts'
export { estimateCosts, type PastCosts, type PastRatio } from './costs/past.ts'
export {
  type Bridge,
  bridgeOfProposal,
  type Cleaning,
  cleaningOfPair,
  cleaningOfProposal,
  evidenceOfProposal,
  movementsOfProposal,
} from './explain/reasons.ts'
export { explainItems, findItem, type Item, ITEM_STATES, listItems } from './explain/items.ts'
export {
  type Outlook,
  outlookOfPair,
  outlookOfProposal,
  type Risk,
  riskOfProposal,
} from './explain/outlook.ts'
export {
  simulate,
  type Simulation,
  type SimulationBudget,
  type SimulationGroup,
} from './explain/simulate.ts'
export type { Point } from './explain/simulation-curve.ts'
export {
  type BlockedPair,
  type HistoryEntry,
  listBlocked,
  listHistory,
  listProposals,
  type Sort,
} from './list.ts'
export { CONTENT_TYPES, readEditedFile } from './handover/files.ts'
export {
  fileOfHandOver,
  findHandOver,
  type HandedOverLine,
  type HandOver,
  listHandOverLines,
  listHandOvers,
} from './handover/read.ts'
export { handOver, TAKEN_BEFORE } from './handover/take.ts'
export { type Closure, listClosures, replaceClosures } from './policy/closures.ts'
export {
  type Beside,
  listMonths,
  type MonthFigures,
  type MonthMoney,
  type ValueMonth,
} from './reports/months.ts'
export type { DecisionGroup, DecisionWorth } from './reports/decided.ts'
export { listDeadlines, listDrafts, listOpenOrders, type OpenOrder } from './reports/open-orders.ts'
export type { Draft } from './terms/drafts.ts'
export type { OrderPromise } from './terms/promises.ts'
export {
  listScorecards,
  scorecardOfSupplier,
  type SupplierScorecard,
} from './reports/scorecards.ts'
export { listPolicies, recomputeProposals, removePolicy, setPolicy } from './policy/rules.ts'
export {
  classOf,
  LEAST_STEP,
  MOST_PRICE_BREAKS,
  MOST_UNITS,
  parsePriceBreaks,
  POLICY_AMOUNTS,
  POLICY_KEY_NAMES,
  POLICY_KEYS,
  POLICY_LEVELS,
  POLICY_NUMBERS,
  type PolicyKeyName,
  type PolicyLevel,
  type PolicyNumber,
  type PolicyRule,
  type PriceBreakOfRule,
  type StoredPolicy,
  UNMET_DEMANDS,
  writePriceBreaks,
} from './policy/values.ts'
export { findProposal } from './readers.ts'
export { type Budget, type BudgetLine, fillBudgetOf } from './reports/budget.ts'
export { type PastOrderLine, type PastPair, pastOfSource } from './reports/past.ts'
export {
  type OrderSuggestion,
  supplierOrderOf,
  type WorkbenchLine,
} from './reports/supplier-order.ts'
export {
  isSmall,
  listSmallLines,
  lookBefore,
  needsThought,
  thoughtExpression,
} from './reports/attention.ts'
export {
  listSupplierTerms,
  readOrderDays,
  type SupplierOrderTerms,
} from './reports/supplier-terms.ts'
export { readTodaysWork, type TodaysWork, type WorkSum } from './reports/todays-work.ts'
export { type Amount, type ValueReport, valueReport } from './reports/value-report.ts'
export { classifyAtStart } from './run/classify.ts'
export { refreshProposals, supersedeOrphans } from './run/run.ts'
export { withReadAhead, readAhead } from './stored/read-ahead.ts'
export {
  allowsStep,
  faultIn,
  initialStatus,
  isOpen,
  openStatuses,
  statusAfter,
  type Step,
  undecidedStatuses,
} from './stored/flow.ts'
export {
  parseNumbersBefore,
  type TermColumns,
  TERMS,
  termsOf,
  TOLD_NUMBERS,
  type ToldNumber,
} from './stored/terms.ts'
export { withCallOffs, withOrderUnits } from './terms/call-offs.ts'
export { formulaOf } from './stored/proposal.ts'
export type {
  CallOff,
  DecisionEvidence,
  Evidence,
  Proposal,
  Recommendation,
  ValueContract,
} from './stored/proposal.ts'
