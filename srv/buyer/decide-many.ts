// One decision about many proposals: each in a transaction of its own, so that a refused one holds up no other.
import cds, { type Request } from '@sap/cds'
import { assertSound, decideAbout, type Decision, type Entered } from './decide.ts'
import { message } from '../texts.ts'
import { seen } from './visible.ts'

const MOST = 1000
const WISH = /^([1-9]\d{0,8})(?::(.*))?$/s
const WHOLE = /^0*[1-9]\d{0,14}$/

/** One decision, and the proposals that it is about. */
export interface EnteredForMany extends Entered {
  /** `12,13:48` */
  proposals?: string | null
}

interface Wish {
  ID: number
  /** As it was typed. */
  quantity?: string
}

interface Refused {
  code?: string
  status?: number
  message: string
}

/** @returns how many were decided; why the others were not is told by a message each */
export async function decideMany(
  service: cds.ApplicationService,
  req: Request<EnteredForMany>,
  decision: Decision,
) {
  const wishes = wishesOf(req)
  assertSound(req, decision, req.data)
  let done = 0
  for (const wish of wishes) {
    const why = await decideOne(service, req, decision, wish)
    if (why) req.warn(why as never)
    else done++
  }
  req.notify({ code: 'decided', message: wordsOf(done, wishes.length) } as never)
  return done
}

/** `12,13:48`: numbers of proposals, and the quantity of those that get another one. */
function wishesOf(req: Request<EnteredForMany>): Wish[] {
  const parts = String(req.data.proposals ?? '').split(',')
  const wishes = new Map<number, Wish>()
  for (const part of parts) {
    const [, ID, quantity] = WISH.exec(part) ?? []
    if (ID) wishes.set(Number(ID), { ID: Number(ID), quantity })
  }
  if (wishes.size === parts.length && wishes.size <= MOST) return [...wishes.values()]
  return req.reject({
    status: 400,
    code: 'invalid_parameter',
    target: 'proposals',
    message: message('proposals_invalid', { most: MOST }),
  } as never)
}

/** @returns the refusal; undefined where it is decided */
async function decideOne(
  service: cds.ApplicationService,
  req: Request<EnteredForMany>,
  decision: Decision,
  { ID, quantity }: Wish,
): Promise<Refused | undefined> {
  const { user, locale } = cds.context!
  if (quantity !== undefined && !WHOLE.test(quantity)) {
    return { code: 'invalid_parameter', message: `prop_${ID}: ${message('quantity_invalid')}` }
  }
  try {
    await cds.tx({ user, locale } as never, async () => {
      const proposal = await seen(service, ID)
      if (!proposal) throw notFound(ID)
      await decideAbout(proposal, decision, { ...req.data, quantity: quantity && Number(quantity) })
    })
  } catch (error) {
    const { code, status, message: why } = error as Refused
    if (status && status < 500) return { code, message: why }
    cds.log('buyer').error(`prop_${ID} was not decided:`, error)
    return { code: 'internal_error', message: `prop_${ID}: ${message('not_decided')}` }
  }
}

const notFound = (ID: number) =>
  Object.assign(new Error(`prop_${ID}: ${message('proposal_not_found')}`), {
    ...{ code: 'proposal_not_found', status: 404 },
  })

const wordsOf = (done: number, all: number) => message('decided', { done, all })
