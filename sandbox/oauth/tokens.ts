import { randomBytes } from 'node:crypto'

export interface Grant {
  user: string
  scopes: string[]
}

interface Code extends Grant {
  redirectUri: string
  challenge: string | null
  expires: number
}

/** All issued codes and tokens. */
export class Tokens {
  /** All of them, oldest first. */
  readonly given: string[] = []
  readonly #codes = new Map<string, Code>()
  readonly #access = new Map<string, Grant & { expires: number }>()
  readonly #refresh = new Map<string, Grant>()

  code(grant: Omit<Code, 'expires'>): string {
    const code = this.#secret()
    this.#codes.set(code, { ...grant, expires: Date.now() + 60_000 })
    return code
  }

  /** Redeems a code, which can be used only once. */
  redeem(code: string): Code | null {
    const grant = this.#codes.get(code)
    this.#codes.delete(code)
    return grant && grant.expires > Date.now() ? grant : null
  }

  access(grant: Grant, seconds: number): string {
    const token = this.#secret()
    this.#access.set(token, { ...grant, expires: Date.now() + seconds * 1000 })
    return token
  }

  refresh(grant: Grant): string {
    const token = this.#secret()
    this.#refresh.set(token, grant)
    return token
  }

  refreshed(token: string, rotate: boolean): Grant | null {
    const grant = this.#refresh.get(token) ?? null
    if (rotate) this.#refresh.delete(token)
    return grant
  }

  find(token: string): Grant | null {
    const grant = this.#access.get(token)
    return grant && grant.expires > Date.now() ? grant : null
  }

  expireAccess(): void {
    this.#access.clear()
  }

  forgetAll(): void {
    this.#codes.clear()
    this.#access.clear()
    this.#refresh.clear()
  }

  #secret(): string {
    const secret = randomBytes(24).toString('base64url')
    this.given.push(secret)
    return secret
  }
}
