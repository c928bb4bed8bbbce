import type { Request, RequestHandler } from 'express'
import { z } from 'zod'
import { REASON_CODES } from '../../../base/texts/codes.ts'
import { descriptionOf, publicUrl } from '../texts.ts'
import { changeLines, openTaskFor, setClaim } from '../inbox.ts'
import { invalid, TaskRefusal } from '../refusal.ts'
import { preferredLanguage } from '../../../base/texts/texts.ts'
import { decideTask } from '../decide.ts'
import { keepShown, TASK_CENTER } from '../task.ts'
import { personIn } from './authenticate.ts'
import { ACTIONS, RESPONSES, toSpiTasks } from './to-spi-task.ts'
import { languages } from './parameters.ts'
import { taskIn } from './pull.ts'

const LONGEST = 1000

const Answer = z.object({
  code: z.string(),
  comment: z
    .string()
    .max(LONGEST)
    .regex(/^[^\0]*$/)
    .nullish(),
  reasonCode: z.string().nullish(),
})

function bodyOf<T>(req: Request, schema: z.ZodType<T>): T {
  if (typeof req.body !== 'object' || req.body === null) {
    throw new TaskRefusal(400, 'invalid_request', 'The body must be a JSON object.')
  }
  const { data, error } = schema.safeParse(req.body)
  if (data !== undefined) return data
  const [issue] = error!.issues
  throw invalid(issue!.path.join('.') || 'body', issue!.message)
}

const oneOf = <T extends string>(target: string, codes: readonly T[], value: string): T => {
  const found = codes.find((code) => code === value)
  if (found) return found
  throw invalid(target, `must be one of ${codes.join(', ')}`)
}

export const description: RequestHandler = async (req, res) => {
  const person = personIn(res)
  const language = preferredLanguage(req.headers['accept-language'])
  const task = await openTaskFor(person, taskIn(req))
  const text = await descriptionOf(task, language)
  await keepShown([task], { door: 'task_center', user: person.id })
  res.setHeader('Content-Language', language)
  res.type('text/plain; charset=utf-8').send(text)
}

export const response: RequestHandler = async (req, res) => {
  const person = personIn(res)
  const { wanted, localId } = askedIn(req)
  const { code, comment, reasonCode } = bodyOf(req, Answer)
  const text = comment?.trim() || null
  const decision = {
    code: oneOf('code', RESPONSES, code),
    comment: text,
    reason: reasonCode ? oneOf('reasonCode', REASON_CODES, reasonCode) : null,
  }
  if (decision.code === 'approve' && decision.reason) throw invalid('reasonCode', 'is for reject')
  const task = await decideTask(person, localId, decision, 'task_center')
  res.json((await toSpiTasks([task], wanted, publicUrl()))[0])
}

export const action: RequestHandler = async (req, res) => {
  const person = personIn(res)
  const { wanted, localId } = askedIn(req)
  const code = oneOf('code', ACTIONS, bodyOf(req, Answer).code)
  const task = await setClaim(person, localId, code === 'claim')
  await keepShown([task], TASK_CENTER)
  res.json((await toSpiTasks([task], wanted, publicUrl()))[0])
}

const askedIn = (req: Request) => ({ wanted: languages(req), localId: taskIn(req) })

const Lines = z.strictObject({
  lines: z
    .array(
      z.strictObject({
        proposal: z.string().regex(/^prop_[1-9]\d{0,8}$/),
        excluded: z.boolean().optional(),
        quantity: z.int().min(1).max(1e12).nullish(),
      }),
    )
    .min(1)
    .max(LONGEST),
})

/** Beyond the SPI: the lines of an order's task. */
export const lines: RequestHandler = async (req, res) => {
  const person = personIn(res)
  const changes = req.method === 'GET' ? [] : bodyOf(req, Lines).lines
  res.json({ value: await changeLines(person, taskIn(req), changes) })
}
