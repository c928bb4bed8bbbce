// Whether one JSON Schema still promises what another one did, for what a caller sends and for what it gets.
export type Schema = Record<string, unknown>

/** `sent`: what was accepted must still be. `got`: what was given must still be. */
export type Direction = 'sent' | 'got'

type Components = Record<string, Schema>

const LOWER = ['minimum', 'minLength', 'minItems']
const UPPER = ['maximum', 'maxLength', 'maxItems']

export class Comparison {
  private readonly before: Components
  private readonly after: Components

  constructor(before: Components, after: Components) {
    this.before = before
    this.after = after
  }

  /** Sentences about what is broken, none where nothing is. */
  breaks(before: Schema, after: Schema, direction: Direction, at: string): string[] {
    const [old, present] = [alternatives(before, this.before), alternatives(after, this.after)]
    if (old.length === 1 && present.length === 1) {
      return this.single(old[0]!, present[0]!, direction, at)
    }
    const [from, to] = direction === 'sent' ? [old, present] : [present, old]
    const fits = (one: Schema, other: Schema) =>
      direction === 'sent'
        ? this.single(one, other, 'sent', at)
        : this.single(other, one, 'got', at)
    return from
      .filter((one) => to.every((other) => fits(one, other).length > 0))
      .map((one) =>
        direction === 'sent'
          ? `${at} takes no ${nameOf(one)} any more`
          : `${at} may be ${nameOf(one)}`,
      )
  }

  private single(old: Schema, present: Schema, direction: Direction, at: string): string[] {
    if (!isSameType(old.type, present.type, direction)) {
      return [`${at} was ${nameOf(old)} and is ${nameOf(present)}`]
    }
    return [
      ...valuesGone(old, present, direction, at),
      ...(direction === 'sent' ? narrowed(old, present, at) : []),
      ...(old.format === present.format || (direction === 'sent' && !present.format)
        ? []
        : [`${at} has the format ${present.format ?? 'of any text'} in place of ${old.format}`]),
      ...this.members(old, present, direction, at),
      ...['items', 'additionalProperties'].flatMap((name) => {
        const [one, other] = [old[name], present[name]]
        if (!isSchema(one) || !isSchema(other)) return []
        return this.breaks(one, other, direction, `${at}[]`)
      }),
    ]
  }

  private members(old: Schema, present: Schema, direction: Direction, at: string): string[] {
    const [one, other] = [propertiesOf(old), propertiesOf(present)]
    const [needed, given] = [requiredOf(old), requiredOf(present)]
    const [stricter, looser] = direction === 'sent' ? [given, needed] : [needed, given]
    return [
      ...Object.entries(one).flatMap(([name, schema]) =>
        other[name]
          ? this.breaks(schema, other[name], direction, `${at}.${name}`)
          : [`${at}.${name} is gone`],
      ),
      ...stricter
        .filter((name) => !looser.includes(name))
        .filter((name) => direction === 'sent' || other[name])
        .map(
          (name) => `${at}.${name} ${direction === 'sent' ? 'is required' : 'may be absent'} now`,
        ),
    ]
  }
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null
const propertiesOf = (schema: Schema) => (schema.properties ?? {}) as Record<string, Schema>
const requiredOf = (schema: Schema) => (schema.required ?? []) as string[]
const valuesOf = ({ enum: values, const: only }: Schema) =>
  (values as unknown[] | undefined) ?? (only === undefined ? undefined : [only])
const nameOf = (schema: Schema) => JSON.stringify(valuesOf(schema) ?? schema.type ?? 'anything')

/** The schemas any of which holds, references followed. */
function alternatives(schema: Schema, components: Components): Schema[] {
  if (schema.$ref) {
    return alternatives(components[String(schema.$ref).split('/').at(-1)!]!, components)
  }
  const either = schema.anyOf ?? schema.oneOf
  if (either) return (either as Schema[]).flatMap((one) => alternatives(one, components))
  if (Array.isArray(schema.type)) return schema.type.map((type: unknown) => ({ ...schema, type }))
  return [schema]
}

function isSameType(old: unknown, present: unknown, direction: Direction): boolean {
  if (old === present) return true
  const [narrow, wide] = direction === 'sent' ? [old, present] : [present, old]
  return (narrow === 'integer' && wide === 'number') || wide === undefined
}

function valuesGone(old: Schema, present: Schema, direction: Direction, at: string): string[] {
  const [before, after] = [valuesOf(old), valuesOf(present)]
  if (!before) return after && direction === 'sent' ? [`${at} takes certain values only`] : []
  if (!after) return direction === 'sent' ? [] : [`${at} may be any value`]
  return before.filter((value) => !after.includes(value)).map((value) => `${at} lost ${value}`)
}

function narrowed(old: Schema, present: Schema, at: string): string[] {
  const tighter = (name: string, sign: 1 | -1) =>
    typeof present[name] === 'number' &&
    (typeof old[name] !== 'number' || (present[name] - old[name]) * sign > 0)
  return [
    ...LOWER.filter((name) => tighter(name, 1)),
    ...UPPER.filter((name) => tighter(name, -1)),
    ...(present.pattern && present.pattern !== old.pattern ? ['pattern'] : []),
  ].map((name) => `${at} is narrower: ${name} ${present[name]}`)
}
