// The software bill of materials of a release, CycloneDX 1.6: what production installs, by the lock file. `npm sbom` refuses
// the tree, because a peer of @cap-js/hana names an older @sap/cds than the one that package.json overrides it with.
import { readFileSync } from 'node:fs'
import path from 'node:path'

interface Locked {
  version?: string
  license?: string
  integrity?: string
  dev?: boolean
  link?: boolean
}

interface Lock {
  version: string
  packages: Record<string, Locked>
}

/** The document, as text. */
export function billOfMaterials(root: string): string {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock
  const components = new Map(
    Object.entries(lock.packages)
      .filter(([at, { dev, link }]) => at !== '' && !dev && !link)
      .map(([at, locked]) => componentOf(at.slice(at.lastIndexOf('node_modules/') + 13), locked))
      .map((component) => [component.purl, component]),
  )
  return `${JSON.stringify(
    {
      ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
      metadata: {
        timestamp: new Date().toISOString(),
        component: { type: 'application', name: 'restock', version: lock.version },
      },
      components: [...components.values()],
    },
    null,
    2,
  )}\n`
}

function componentOf(name: string, { version = '', license, integrity }: Locked) {
  const [algorithm, digest = ''] = integrity?.split('-') ?? []
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    ...{ type: 'library', name, version, purl, 'bom-ref': purl },
    ...(license && { licenses: [{ license: { name: license } }] }),
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    }),
  }
}
