/** Strings, those that are names with their colon, and where objects and lists begin and end. A string without an end is taken too, once. */
const TOKENS = /("(?:[^"\\]+|\\.)*"?)(\s*:)?|[{}[\]]/g

interface Level {
  /** Names of the object so far. */
  names: Set<string>
  name: string | null
}

const LIST: Level = { names: new Set(), name: null }

/**
 * The first member that an object has twice, with its path: `JSON.parse` would keep the last of them.
 * @param json valid JSON
 */
export function repeatedMember(json: string): string | null {
  const levels: Level[] = []
  for (const [token, text, colon] of json.matchAll(TOKENS)) {
    if (token === '{') levels.push({ names: new Set(), name: null })
    else if (token === '[') levels.push(LIST)
    else if (token === '}' || token === ']') levels.pop()
    else if (colon) {
      const level = levels.at(-1)!
      level.name = JSON.parse(text!) as string
      if (level.names.has(level.name)) return pathOf(levels)
      level.names.add(level.name)
    }
  }
  return null
}

const pathOf = (levels: Level[]) => levels.flatMap(({ name }) => name ?? []).join('.')
