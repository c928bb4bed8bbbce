import { Option } from 'commander'
import type { InputOf } from '../../client/index.ts'

export type Reason = NonNullable<
  NonNullable<InputOf<'delete', '/proposals/{id}'>['query']>['reason']
>

const REASONS: Record<Reason, true> = {
  not_needed: true,
  too_much: true,
  too_early: true,
  wrong_supplier: true,
  price: true,
  discontinued: true,
  other: true,
}

/** `--reason` of a refusal. */
export const reasonOption = () => new Option('--reason <code>', 'why').choices(Object.keys(REASONS))
