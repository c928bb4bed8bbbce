// Keys of /v1: issued, confirmed by the person whom they act as, rotated, revoked, and verified at each call.
export {
  confirmKey,
  findKey,
  type IssuedKey,
  issueKey,
  type KeyInput,
  lapseKeys,
  listKeys,
  NEW_KEY,
  revokeKey,
  revokeKeysOf,
  revokeOwnKey,
  type RotatedKey,
  rotateKey,
} from './manage.ts'
export { type KeyRow, type Scope, SCOPES, type VerifiedKey, verifyKey } from './verify.ts'
