import { Refusal, type ErrorCode } from '../../../base/errors.ts'

const LARGEST = 2_147_483_647

const KINDS = {
  prop: { code: 'proposal_not_found', noun: 'proposal' },
  ho: { code: 'not_found', noun: 'hand-over' },
  exc: { code: 'not_found', noun: 'exception' },
  src: { code: 'source_not_found', noun: 'source' },
  sync: { code: 'not_found', noun: 'sync' },
  wh: { code: 'not_found', noun: 'webhook' },
  ovr: { code: 'not_found', noun: 'forecast override' },
  plan: { code: 'not_found', noun: 'event in the calendar' },
} as const satisfies Record<string, { code: ErrorCode; noun: string }>

export type IdKind = keyof typeof KINDS

/** `prop_1042` from 1042. */
export const toId = (kind: IdKind, ID: number) => `${kind}_${ID}`

/**
 * 1042 from `prop_1042`.
 * @throws Refusal 404 of the kind: an id that cannot exist is one that does not
 */
export function fromId(kind: IdKind, id: string | undefined): number {
  const ID = Number(new RegExp(`^${kind}_([1-9]\\d{0,9})$`).exec(id ?? '')?.[1])
  if (ID <= LARGEST) return ID
  throw new Refusal(KINDS[kind].code, `There is no such ${KINDS[kind].noun}.`)
}
