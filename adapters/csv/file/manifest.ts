// A manifest says when the files beside it are whole: docs/guides/csv.md.
import { z } from 'zod'
import { Fatal } from '../../errors.ts'
import { awaited, type SourceFile, type SourceFiles } from './source-files.ts'
import { hashOf } from './content.ts'

/** Its name. */
export const MANIFEST = 'manifest.json'

const MAX_BYTES = 1_000_000

const listedFile = z
  .object({
    name: z.string().min(1),
    /** Bytes. */
    size: z.int().nonnegative().optional(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits')
      .optional(),
  })
  .refine(({ size, sha256 }) => size !== undefined || sha256, 'needs a size or a sha256')

const manifest = z.object({ files: z.array(listedFile) })

type ListedFile = z.infer<typeof listedFile>

/** What a manifest says of each file, by its name. */
export type Manifest = ReadonlyMap<string, ListedFile>

/** @throws Fatal file_awaited where it is cut off | invalid_manifest */
export async function readManifest(files: SourceFiles, signal: AbortSignal): Promise<Manifest> {
  const parsed = manifest.safeParse(await readJson(files, signal))
  if (parsed.success) return new Map(parsed.data.files.map((each) => [each.name, each]))
  const { path, message } = parsed.error.issues[0]!
  const place = path.length ? `${path.join('.')}: ` : ''
  throw new Fatal(
    'invalid_manifest',
    `${MANIFEST} must be {"files": [{"name": …, "size": … or "sha256": …}]}: ${place}${message}.`,
    MANIFEST,
  )
}

async function readJson(files: SourceFiles, signal: AbortSignal): Promise<unknown> {
  const { handle } = await files.open(MANIFEST, signal)
  try {
    if ((await handle.stat()).size > MAX_BYTES)
      throw new Fatal('invalid_manifest', `${MANIFEST} has more than 1 MB.`, MANIFEST)
    const text = await handle.readFile('utf8')
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    if (error instanceof SyntaxError) throw awaited(MANIFEST, 'it is no whole JSON')
    throw error
  } finally {
    await handle.close()
  }
}

/** @throws Fatal file_awaited */
export async function assertWhole(
  file: SourceFile,
  listed: Manifest,
  signal: AbortSignal,
): Promise<void> {
  const { name, handle } = file
  const { size, sha256 } = listed.get(name)!
  const bytes = (await handle.stat()).size
  if (size !== undefined && size !== bytes)
    throw awaited(name, `it has ${bytes} bytes, and ${size} by ${MANIFEST}`)
  if (sha256 && (await hashOf(file, signal)) !== sha256.toLowerCase())
    throw awaited(name, `its SHA-256 is not the one in ${MANIFEST}`)
}
