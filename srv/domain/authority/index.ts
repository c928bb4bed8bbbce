// Who sees and decides what, in whose name. The only place that reads roles, limits, delegations and rows.
export {
  capacitiesOf,
  type Capacity,
  createDelegation,
  type Deputy,
  deputyOf,
  endDelegation,
  endDelegationsOf,
  lapseDelegations,
  listDeputies,
  type NewDelegation,
} from './delegations.ts'
export {
  lockApprovals,
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
  foreseeApprovals,
  isHeldByDay,
  mayDecide,
  whoMayApprove,
} from './may-decide.ts'
export { mayReach, type Worth } from './over-limit.ts'
export { assertMaySettle, noSuchException } from './may-decide.ts'
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
export { currentDecider, type Decider, readRights } from './rights.ts'
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
export {
  boundsOf,
  noSuchProposal,
  visibleIDs,
  visibleEvents,
  visiblePairs,
  visibleTo,
} from './visible.ts'
