import { instance } from '../settings.ts'

type Kind = 'task' | 'taskdefinition'

const prefixOf = (kind: Kind) => {
  const { applicationId, applicationInstanceId, tenantId } = instance()
  return `urn:sap.odm.bpm.${kind}:${applicationId}:${applicationInstanceId}:${tenantId}:`
}

export const urnOf = (kind: Kind, localId: string) => prefixOf(kind) + localId

/** The local id within a URN of ours; null for any other. */
export function localIdOf(kind: Kind, urn: string): string | null {
  const prefix = prefixOf(kind)
  const localId = urn.startsWith(prefix) ? urn.slice(prefix.length) : ''
  return /^[A-Za-z0-9._-]{1,64}$/.test(localId) ? localId : null
}

/**
 * What stands in the place of a URN among the places of ours, hex: greater than that of every URN of ours
 * that is less. Any text may be given.
 */
export function placeAfter(urn: string): string {
  const [prefix, given] = [prefixOf('task'), urn]
  if (given.startsWith(prefix)) return Buffer.from(given.slice(prefix.length)).toString('hex')
  return Buffer.compare(Buffer.from(given), Buffer.from(prefix)) < 0 ? '' : 'g'
}
