// What a person at the terminal is asked and shown.
import { spawn } from 'node:child_process'
import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Whether somebody can answer a question. */
export const hasPerson = () => process.stdin.isTTY && process.stderr.isTTY

/** Whether a person at the terminal says yes; nobody is asked where there is none. */
export async function confirms(question: string): Promise<boolean> {
  if (!hasPerson()) return true
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  return /^y(es)?$/i.test((await ask(prompt, `${question} [y/N] `)).trim())
}

/**
 * The secret of an OAuth client, from RESTOCK_CLIENT_SECRET or from a prompt that does not show it.
 * Undefined for a client without a secret.
 */
export async function readSecret(): Promise<string | undefined> {
  const given = process.env.RESTOCK_CLIENT_SECRET
  if (given) return given
  if (!hasPerson()) return undefined
  process.stderr.write('Client secret (empty for none): ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return (await ask(prompt, '')) || undefined
  } finally {
    process.stderr.write('\n')
  }
}

async function ask(prompt: Interface, question: string): Promise<string> {
  prompt.once('SIGINT', () => process.exit(130))
  try {
    return await prompt.question(question)
  } finally {
    prompt.close()
  }
}

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a web page in the user's browser. @returns false if the system has no command to open it */
export function openBrowser(address: string): Promise<boolean> {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    return Promise.resolve(false)
  }
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => resolve(true))
    child.unref()
  })
}
