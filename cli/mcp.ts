import type { Command } from 'commander'
import type { AgentOptions } from '../agent/index.ts'
import { useProxy } from './client.ts'
import { command } from './command.ts'
import { Failure } from './errors.ts'
import { baseUrl, findKey, isLoopback } from './key.ts'
import { note } from './output.ts'

/** `restock mcp` */
export const mcpCommand = (): Command =>
  command({
    name: 'mcp',
    summary:
      'serve an agent over stdin and stdout (MCP): it reads, explains, simulates and drafts, and decides nothing',
    examples: ['mcp'],
    run: serve,
  })

/** Until the agent closes stdin. Only messages of the protocol go to stdout. */
async function serve(): Promise<void> {
  const url = baseUrl()
  const { key } = findKey(url)
  if (!isLoopback(url)) useProxy()
  // No other command has to load it.
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const { agentServer } = await import('../agent/index.ts')
  const server = agentServer({ url: url.href, key, document: await readDocument(url) })
  server.onerror = ({ message }) => note(message)
  await server.connect(new StdioServerTransport())
  note(`Serving the tools of ${url.href} to an agent.`)
  process.stdin.once('end', () => void server.close())
}

/** What the tools take, as this service says it. */
async function readDocument({ href }: URL): Promise<AgentOptions['document']> {
  try {
    const answer = await fetch(`${href}/openapi.json`, { redirect: 'manual' })
    const found = (await answer.json()) as Partial<AgentOptions['document']>
    if (found.paths && found.info) return found as AgentOptions['document']
  } catch {
    // told below
  }
  throw new Failure(
    `The server at ${href} cannot be reached, or is not the Restock API: start it, or set RESTOCK_URL.`,
  )
}
