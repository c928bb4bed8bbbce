// Approves the most urgent lines as the buyer's app does: in parts, each line with the version that was shown.
interface Line {
  ID: number
  version: number
}

interface Told {
  code: string
  message: string
}

const headers = {
  Authorization: `Basic ${Buffer.from('approver:approver').toString('base64')}`,
  'Content-Type': 'application/json',
}

const LIST = "$filter=status eq 'pending'&$orderby=urgencyRank,orderBy,ID&$select=ID,version"

async function readLines(service: string, count: number): Promise<Line[]> {
  const lines: Line[] = []
  while (lines.length < count) {
    const answer = await fetch(
      `${service}/Proposals?${LIST}&$top=${Math.min(1000, count - lines.length)}&$skip=${lines.length}`,
      { headers },
    )
    const { value } = (await answer.json()) as { value: Line[] }
    if (!value.length) throw new Error(`There are only ${lines.length} open lines.`)
    lines.push(...value)
  }
  return lines
}

export async function decideAll(url: string, count: number, part: number) {
  const service = `${url}/odata/v4/buyer`
  const lines = await readLines(service, count)
  const refusals = new Map<string, number>()
  let [refused, slowestPart] = [0, 0]
  const begun = performance.now()
  for (let at = 0; at < count; at += part) {
    const proposals = lines.slice(at, at + part).map(({ ID, version }) => `${ID}@${version}`)
    const partBegun = performance.now()
    const answer = await fetch(`${service}/approveMany`, {
      ...{ method: 'POST', headers, body: JSON.stringify({ proposals: proposals.join() }) },
    })
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
    slowestPart = Math.max(slowestPart, Math.round(performance.now() - partBegun))
    const told = JSON.parse(answer.headers.get('sap-messages') ?? '[]') as Told[]
    for (const { code } of told.filter((each) => each.code !== 'decided')) {
      refusals.set(code, (refusals.get(code) ?? 0) + 1)
      refused++
    }
  }
  const seconds = (performance.now() - begun) / 1000
  return { seconds, slowestPart, approved: count - refused, refusals }
}
