// Somebody who has left: who has not signed in for too long, or whom an administrator has removed.
import { Refusal } from '../../base/errors.ts'
import { send } from '../../base/cap/context.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { Delegations, readAs, Users } from '../../base/database/entities.ts'
import type { Delegation } from './delegations.ts'
import { forgetRemembered, whoHasLeft } from './people.ts'

type Both = Pick<Delegation, 'ID' | 'fromUser' | 'toUser'>

/** Delegations that are not over yet. */
async function openDelegations(): Promise<Both[]> {
  const now = new Date().toISOString()
  return readAs<Both>(
    SELECT.from(Delegations).columns('ID', 'fromUser', 'toUser')
      .where`validTo > ${now} and endedAt is null`,
  )
}

/** Ends the delegations from and to people who have left. They stay ended when these come back. */
export async function lapseDelegations() {
  const delegations = await openDelegations()
  const left = await whoHasLeft(delegations.flatMap(({ fromUser, toUser }) => [fromUser, toUser]))
  await endBecauseLeft(delegations, left)
}

async function endBecauseLeft(delegations: Both[], left: ReadonlySet<string>) {
  const now = new Date().toISOString()
  for (const { ID, fromUser, toUser } of delegations) {
    const gone = [fromUser, toUser].filter((user) => left.has(user))
    if (!gone.length) continue
    const ended: unknown = await UPDATE.entity(Delegations)
      .set({ endedAt: now, lapsedAt: now })
      .where({ ID, endedAt: null })
    const detail = JSON.stringify({ ID, left: gone })
    if (ended) await writeAuditLog('delegation.lapsed', `user:${fromUser}`, detail)
  }
}

/**
 * Takes from somebody who has left the keys that act as them, and the delegations from and to them. Whoever signs in
 * again is known again, but gets none of it back.
 * @throws Refusal not_found
 */
export async function removePerson(user: string) {
  const known = await readAs<object>(SELECT.one.from(Users).columns('ID').where({ ID: user }))
  if (!known) throw new Refusal('not_found', 'There is no such person.')
  await send('KeysService', 'revokeKeysOf', { user })
  await endBecauseLeft(await openDelegations(), new Set([user]))
  await DELETE.from(Users).where({ ID: user })
  forgetRemembered()
  await writeAuditLog('user.removed', `user:${user}`, '')
}
