import { createInterface } from 'node:readline/promises'

/** Whether a person at the terminal says yes; nobody is asked where there is none. */
export async function confirms(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return true
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  prompt.once('SIGINT', () => process.exit(130))
  try {
    return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `)).trim())
  } finally {
    prompt.close()
  }
}
