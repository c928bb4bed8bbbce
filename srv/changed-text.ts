// What has moved since a proposal was shown, told to the person who decides.
import type { Refusal } from './errors.ts'
import { codeNames, message, namesIn } from './texts.ts'

interface Change {
  term: string
  was: unknown
  now: unknown
}

/** @param refusal `version_mismatch` */
export async function changedText({ options }: Refusal, language?: string): Promise<string> {
  const changes = (options.members?.changes ?? []) as Change[]
  if (!changes.length) return message('version_mismatch', {}, language)
  const nameOf = await codeNames('ProposalExceptions', language)
  const shown = (value: unknown) => {
    if (Array.isArray(value)) return namesIn(value.join(), nameOf) ?? '–'
    return value ?? '–'
  }
  const told = changes.map(({ term, was, now }) =>
    message(`changed_${term}`, { was: shown(was), now: shown(now) }, language),
  )
  return message('changed', { changes: told.join(', ') }, language)
}
