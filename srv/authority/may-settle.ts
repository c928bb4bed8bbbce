// May the present user settle this exception, and in whose name?
import { Refusal } from '../errors.ts'
import { currentDecider, type Right } from './rights.ts'
import { predicateOf } from './rows.ts'

interface Settled {
  ID: number
  location: string
}

/**
 * People who may decide about proposals of a pair may settle its exceptions.
 * @returns by whose right, where it is not the own one
 * @throws Refusal not_found, insufficient_scope, approval_limit_exceeded
 */
export async function assertMaySettle({ ID, location }: Settled): Promise<string | null> {
  const { rights } = await currentDecider()
  const seeing: Right[] = []
  for (const right of rights) if (await isSeen(ID, right)) seeing.push(right)
  if (!seeing.length) throw noSuchException(ID)
  const right = seeing.find(({ locations }) => locations?.includes(location) ?? true)
  if (right) return right.inNameOf
  throw new Refusal('approval_limit_exceeded', `You do not decide about location ${location}.`)
}

const isSeen = async (ID: number, { rows }: Right) =>
  !rows ||
  Boolean(
    await SELECT.one
      .from('restock.Exceptions')
      .columns('ID')
      .where({ ID })
      .where(predicateOf(rows)),
  )

export const noSuchException = (ID: number) =>
  new Refusal('not_found', `There is no exception exc_${ID}.`)
