// Who sees and decides what, in whose name. The only place that reads roles, limits, delegations and rows.
export { capacitiesOf, deputyOf, type Capacity } from './capacities.ts'
export { readRoleLimits, readUserLimits } from './limits.ts'
export { assertMayDecide, mayDecide } from './may-decide.ts'
export {
  APPROVING_ROLES,
  findPerson,
  isApprover,
  listApprovers,
  type Person,
  rememberPerson,
  ROLES,
  rolesOf,
  type User,
} from './people.ts'
export { currentDecider, type Decider } from './rights.ts'
export { predicateOf, type Predicate, type Rows, rowsOf } from './rows.ts'
export { assertVisible, visibleAmong, visibleTo } from './visible.ts'
