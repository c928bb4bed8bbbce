/** The query of a URL by parameter name; a list where a parameter is repeated. */
export function parseQuery(url: string): Record<string, string | string[]> {
  const query = Object.create(null) as Record<string, string | string[]>
  const start = url.indexOf('?')
  if (start < 0) return query
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    const before = query[name]
    if (before === undefined) query[name] = value
    else if (Array.isArray(before)) before.push(value)
    else query[name] = [before, value]
  }
  return query
}
