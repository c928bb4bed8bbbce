// What is traced, by a recorder in the place of OpenTelemetry's SDK, which an installation adds.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  context,
  type ContextManager,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  type Span,
  trace,
  TraceFlags,
} from '@opentelemetry/api'
import { runDetached } from '../../../srv/base/cap/context.ts'
import { inSpan, traceId, traceparent, untraced } from '../../../srv/base/log/trace.ts'
import { Worker } from '../../../srv/base/work/worker.ts'

const current = new AsyncLocalStorage<Context>()
const contexts: ContextManager = {
  active: () => current.getStore() ?? ROOT_CONTEXT,
  with: (given, work, that, ...args) => current.run(given, () => work.call(that as never, ...args)),
  bind: (_given, target) => target,
  enable: () => contexts,
  disable: () => contexts,
}

/** Spans that ended, as `trace parent>name`. */
const ended: string[] = []
let count = 0
const SUPPRESSED = Symbol.for('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

function startSpan(name: string, _options: unknown, given = context.active()): Span {
  if (given.getValue(SUPPRESSED)) return trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
  const parent = trace.getSpanContext(given)
  const own = parent?.traceId ?? String(++count).padStart(32, '0')
  const spanId = String(++count).padStart(16, '0')
  const spanContext = { traceId: own, spanId, traceFlags: TraceFlags.SAMPLED }
  const span = {
    ...{ spanContext: () => spanContext, isRecording: () => true, setStatus: () => span },
    recordException: (error: Error) => void ended.push(`${name}! ${error.message}`),
    end: () => void ended.push(`${Number(own)} ${parent ? Number(parent.spanId) : ''}>${name}`),
  }
  return span as unknown as Span
}

beforeAll(() => {
  context.setGlobalContextManager(contexts)
  propagation.setGlobalPropagator({
    fields: () => [],
    inject: (given, carrier) => {
      const { traceId, spanId } = trace.getSpanContext(given) ?? {}
      if (traceId) Object.assign(carrier as object, { traceparent: `00-${traceId}-${spanId}-01` })
    },
    extract: (given, carrier) => {
      const [, traceId, spanId] = (carrier as { traceparent: string }).traceparent.split('-')
      const remote = { traceId: traceId!, spanId: spanId!, traceFlags: TraceFlags.SAMPLED }
      return trace.setSpanContext(given, remote)
    },
  })
  const startActiveSpan = (
    name: string,
    options: object,
    given: Context | ((span: Span) => unknown),
    work?: (span: Span) => unknown,
  ) => {
    const inner = work ?? (given as (span: Span) => unknown)
    const span = startSpan(name, options)
    return contexts.with(trace.setSpan(context.active(), span), () => inner(span))
  }
  trace.setGlobalTracerProvider({
    getTracer: () => ({ startSpan, startActiveSpan: startActiveSpan as never }),
  })
})

beforeEach(() => {
  ended.length = 0
  count = 0
})

const step = (name: string) => inSpan(name, {}, () => Promise.resolve())

it('a run is one trace, with its steps, however it is entered again', async () => {
  await runDetached('sync_7', async () => {
    await step('forecasts')
    await runDetached('sync_7', () => step('proposals'))
  })
  expect(ended).toEqual(['1 2>forecasts', '1 2>proposals', '1 >sync'])
})

it('rounds of workers are in none, and what they begin has its own', async () => {
  let begun: Promise<unknown> | undefined
  const work = async () => {
    await step('look')
    begun = runDetached('sync_8', () => step('forecasts'))
  }
  const worker = new Worker({ name: 'test', every: 60_000, work })
  // Whoever wakes it is in a trace.
  await inSpan('a call', {}, () => worker.wake())
  await begun
  expect(ended.sort()).toEqual(['1 >a call', '3 4>forecasts', '3 >sync'])
})

it('other work is in its caller’s trace, or in none', async () => {
  await inSpan('a call', {}, () => runDetached('report', () => step('read')))
  await runDetached('limits', () => step('told'))
  expect(ended).toEqual(['1 2>read', '1 >a call'])
})

it('another instance goes on with the trace that it was handed', async () => {
  let handed: string | undefined
  await runDetached('sync_9', async () => {
    handed = traceparent()
  })
  await runDetached('sync_9', () => step('forecasts'), handed)
  expect(ended).toEqual(['1 >sync', '1 2>forecasts'])
})

it('what fails is told, and thrown', async () => {
  const failing = runDetached('sync_3', () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  expect(ended).toEqual(['sync! no', '1 >sync'])
})

it('the log is told the trace where there is one', async () => {
  const inRun = await runDetached('sync_4', () => Promise.resolve(traceId()))
  expect(inRun).toBe('1'.padStart(32, '0'))
  expect(traceId()).toBeUndefined()
  expect(untraced(() => traceId())).toBeUndefined()
})
