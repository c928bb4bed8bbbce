// Who sees and decides what, in whose name. The only place that reads roles, limits, delegations and rows.
export { capacitiesOf, type Capacity, type Deputy, deputyOf, listDeputies } from './delegations.ts'
export {
  lockApprovals,
  lockApprovalsOf,
  recordApproval,
  removeApproval,
  removeFormerApprovals,
} from './approved-values.ts'
export { configuredAmount, type Limit, limitOf } from './limits.ts'
export { readRoleLimits, readUserLimit, readUserLimits } from './limits.ts'
export {
  type Answer,
  assertMayDecide,
  foreseeApprovals,
  isHeldByDay,
  mayDecide,
} from './may-decide.ts'
export { mayReach, type Worth } from './over-limit.ts'
export { assertMaySettle, noSuchException } from './may-decide.ts'
export {
  asUser,
  findPerson,
  findRows,
  isApprover,
  listApprovers,
  type Person,
  rememberConfiguredApprovers,
  rememberCaller,
  rememberPerson,
  rolesOf,
  trustedSince,
  type User,
  whoHasLeft,
} from './people.ts'
export {
  assertMaySetPolicy,
  visibleHolidayCalendars,
  visiblePlannedEvents,
  visiblePolicies,
} from './policies.ts'
export { readingOnce } from './people.ts'
export { currentDecider, type Decider, readRights } from './rights.ts'
export {
  isAmong,
  isWithin,
  joined,
  predicateOf,
  type Predicate,
  type Rows,
  rowsOf,
} from './rows.ts'
export {
  assertVisible,
  boundsOf,
  visibleAmong,
  visibleEvents,
  visiblePairs,
  visibleTo,
} from './visible.ts'
