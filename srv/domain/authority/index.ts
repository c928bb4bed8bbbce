// Who sees and decides what, in whose name. The only place that reads roles, limits, delegations and rows.
export {
  type Capacity,
  createDelegation,
  currentDecider,
  type Deputy,
  deputyOf,
  endDelegation,
  endDelegationsOf,
  lapseDelegations,
  listDeputies,
  type NewDelegation,
  readRights,
} from './rights.ts'
export {
  lockApprovalsOf,
  recordApproval,
  removeApproval,
  removeFormerApprovals,
} from './over-limit.ts'
export {
  clearRoleLimit,
  clearUserLimit,
  configuredAmount,
  type Limit,
  limitOf,
  readRoleLimits,
  readUserLimit,
  readUserLimits,
  setRoleLimit,
  setUserLimit,
} from './limits.ts'
export {
  type Answer,
  assertMayDecide,
  assertMaySettle,
  foreseeApprovals,
  isHeldByDay,
  noSuchException,
  whoMayApprove,
} from './may-decide.ts'
export { mayReach, type Worth } from './over-limit.ts'
export {
  asUser,
  findPerson,
  findRestriction,
  forgetPerson,
  isApprover,
  listApprovers,
  listPeople,
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
} from './visible.ts'
export { withReadCache } from './people.ts'
export {
  permitsRow,
  expression,
  isOneOf,
  isWithin,
  joined,
  predicateOf,
  type Predicate,
  type RowRestriction,
  restrictionOf,
} from './rows.ts'
export { boundsOf, noSuchProposal, visibleEvents, visiblePairs, visibleTo } from './visible.ts'
