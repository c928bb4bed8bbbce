// Spans of OpenTelemetry: one trace for each call and for each run. Nothing happens here unless an installation adds
// @cap-js/telemetry (docs/guides/monitoring.md): the API alone records nothing.
import {
  type Attributes,
  context,
  createContextKey,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api'

const tracer = trace.getTracer('restock')

/** Work as a span within the one that is open. */
export const inSpan = <T>(name: string, attributes: Attributes, work: () => Promise<T>) =>
  tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.recordException(error as Error)
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })

/** What OpenTelemetry's SDK looks for: nothing below is recorded, or told to whom is called. */
const SUPPRESSED = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING')
const UNTRACED = trace
  .setSpan(ROOT_CONTEXT, trace.wrapSpanContext(INVALID_SPAN_CONTEXT))
  .setValue(SUPPRESSED, true)

/** Work that is in no trace, such as looking every second whether there is something to do. */
export const untraced = <T>(work: () => T): T => context.with(UNTRACED, work)

const RUN = createContextKey('the run that is worked on')
/** What runs are called, such as `sync_7`. */
const RUN_ID = /^(sync)_\d+$/

/**
 * Prepares work that leaves its caller's context. A run begins a trace, unless it is under way or another instance has
 * handed on its trace; other work stays in its caller's, or is in none.
 * @param handedOn as {@link traceparent} gave it
 */
export function tracedAs<T>(id: string, work: () => Promise<T>, handedOn?: string) {
  const caller = context.active()
  const [, kind] = RUN_ID.exec(id) ?? []
  if (!kind || caller.getValue(RUN) === id)
    return () => (trace.getSpan(caller) ? context.with(caller, work) : untraced(work))
  if (handedOn) {
    const parent = propagation.extract(ROOT_CONTEXT, { traceparent: handedOn })
    return () => context.with(parent.setValue(RUN, id), work)
  }
  return () =>
    context.with(ROOT_CONTEXT.setValue(RUN, id), () => inSpan(kind, { 'restock.id': id }, work))
}

/** The trace of the present work, for whoever goes on with it elsewhere; undefined where there is none. */
export function traceparent(): string | undefined {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent
}

/** The id of the present trace, for the log; undefined where none is recorded. */
export function traceId(): string | undefined {
  const found = trace.getActiveSpan()?.spanContext()
  return found && isSpanContextValid(found) && found.traceFlags & TraceFlags.SAMPLED
    ? found.traceId
    : undefined
}
