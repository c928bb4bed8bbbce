import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { setImmediate as turn } from 'node:timers/promises'
import { Budget } from '../../../adapters/http/budget.ts'
import { json, startServer } from './server.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const ANSWERS = 60

/** How many of the objects are still held by somebody. */
async function alive(answers: WeakRef<object>[]): Promise<number> {
  for (let round = 0; round < 3; round++) {
    await turn()
    collect()
  }
  return answers.filter((answer) => answer.deref() !== undefined).length
}

/** As long as a sync: with it in hand nothing may be kept that is not needed any more. */
const { signal } = new AbortController()

it('a budget keeps nothing of what was done under it', async () => {
  const budget = new Budget(4)
  const answers: WeakRef<object>[] = []
  const ask = async () => {
    const answer = await budget.run(async () => ({ rows: new Array(20_000).fill(0.5) }), 0, signal)
    answers.push(new WeakRef(answer))
  }
  for (let at = 0; at < ANSWERS; at += 4) await Promise.all([ask(), ask(), ask(), ask()])
  expect(answers).toHaveLength(ANSWERS)
  expect(await alive(answers)).toBeLessThanOrEqual(4)
  expect(budget.concurrency).toBe(4)
})

it('a client keeps no answers', async () => {
  const rows = Array.from({ length: 5_000 }, (_, row) => ({ row }))
  const server = await startServer((_asked, response) => json(response, rows))
  const client = server.client({ timeoutMs: 10_000 })
  const answers: WeakRef<object>[] = []
  for (let at = 0; at < ANSWERS; at++) {
    const { body } = await client.get<object>(new URL(`/data/p${at}`, server.url), signal)
    answers.push(new WeakRef(body))
  }
  expect(await alive(answers)).toBeLessThanOrEqual(4)
  await server.close()
})
