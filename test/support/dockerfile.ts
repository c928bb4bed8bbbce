// The instructions of a Dockerfile, and what its .dockerignore leaves in.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface Instruction {
  /** In capitals. */
  name: string
  text: string
}

export interface Stage {
  name: string
  instructions: Instruction[]
}

/** One instruction a line, without comments and breaks of lines. */
function instructionsOf(text: string): Instruction[] {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  return lines.filter(Boolean).map((line) => {
    const [, name, rest] = /^(\w+)\s+(.*)$/.exec(line)!
    return { name: name!.toUpperCase(), text: rest! }
  })
}

/** The stages, each from its FROM on; what stands before the first belongs to none. */
export function stagesOf(file: string): Stage[] {
  const stages: Stage[] = []
  for (const instruction of instructionsOf(readFileSync(file, 'utf8'))) {
    const name = / AS (\w+)$/.exec(instruction.text)?.[1] ?? ''
    if (instruction.name === 'FROM') stages.push({ name, instructions: [instruction] })
    else stages.at(-1)?.instructions.push(instruction)
  }
  return stages
}

export const textsOf = ({ instructions }: Stage, wanted: string) =>
  instructions.filter(({ name }) => name === wanted).map(({ text }) => text)

/** What ENV or LABEL sets. */
export const valuesOf = (stage: Stage, wanted: 'ENV' | 'LABEL'): Record<string, string> =>
  Object.fromEntries(
    textsOf(stage, wanted)
      .flatMap((text) => [...text.matchAll(/([\w.]+)=("[^"]*"|\S+)/g)])
      .map(([, name, value]) => [name!, value!.replaceAll('"', '')]),
  )

/** A command in the form of JSON. */
export function commandOf(stage: Stage, name: 'CMD' | 'HEALTHCHECK'): string[] {
  const text = textsOf(stage, name).at(-1)!
  return JSON.parse(text.slice(text.indexOf('['))) as string[]
}

/** Files and folders at the top of a context, as COPY . . takes them; a folder of which only a part is taken counts by that part. */
export function contextOf(root: string): string[] {
  const patterns = readFileSync(path.join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  const isLeftOut = (file: string) => {
    const last = patterns.findLast((pattern) =>
      path.matchesGlob(file, pattern.replace(/^!/, '').replace(/^\*\*\//, '')),
    )
    return last !== undefined && !last.startsWith('!')
  }
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    const isTakenInPart = patterns.some((pattern) => pattern.startsWith(`${entry.name}/`))
    const files = isTakenInPart
      ? readdirSync(path.join(root, entry.name)).map((name) => `${entry.name}/${name}`)
      : [entry.name]
    return files.filter((file) => !isLeftOut(file))
  })
}
