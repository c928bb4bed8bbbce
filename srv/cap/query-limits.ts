// How much one address of OData may ask for, so that reading it never holds up other calls.

/** Characters of an option; an address of its own has 16 kB at most, one in a batch has no limit of its own. */
const LENGTHS: Record<string, number> = {
  $filter: 8_000,
  $select: 8_000,
  $apply: 4_000,
  $expand: 4_000,
  $compute: 2_000,
  $orderby: 2_000,
  $search: 500,
}
const NESTING = 20
const CONDITIONS = 250
const NAMES = 250
/** Each reads the text of every row, or rows of another entity for it. */
const SEARCHES = 20
const SEARCH = /\b(?:contains|startswith|endswith|matchespattern|substringof|indexof|any|all) *\(/gi
const WORDS = 20
/** Each is a read of its own; a page of the apps takes about ten. */
const EXPANDED = 25

/** What asks for too much; null where nothing does. @param bare the value without its texts */
export function findExcess(option: string, value: string, bare: string): string | null {
  const length = LENGTHS[option]
  if (length === undefined) return null
  if (value.length > length) return `${option} may have ${length} characters at most.`
  if (nestingOf(bare) > NESTING) return `${option} may be nested ${NESTING} levels deep at most.`
  if (count(bare, /\b(?:and|or)\b/g) >= CONDITIONS) {
    return `${option} may have ${CONDITIONS} conditions at most.`
  }
  if (count(bare, SEARCH) > SEARCHES) {
    return `${option} may have ${SEARCHES} searches in texts and lists at most: contains, startswith, endswith, any and the like.`
  }
  if (option === '$search' && count(value, /[^\s"]+/g) > WORDS) {
    return `$search may have ${WORDS} words at most.`
  }
  if (option === '$expand' && expandedIn(bare) > EXPANDED) {
    return `$expand names its navigations, ${EXPANDED} at most, such as $expand=events; \`*\` is not allowed.`
  }
  if (option !== '$filter' && count(bare, /,/g) >= NAMES) {
    return `${option} may have ${NAMES} names at most.`
  }
  return null
}

/** The navigations that an `$expand` names, those within others too; all of them are too many. */
function expandedIn(bare: string): number {
  const names = bare.replace(/\$(?!expand=)\w+=[^;()]*/g, '')
  if (/(?:^|[,=(\s])\*/.test(names)) return Infinity
  return count(names, /[^\s,;=()]+/g) - count(names, /=/g)
}

const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0

function nestingOf(text: string): number {
  let [depth, deepest] = [0, 0]
  for (const char of text) {
    if (char === '(') deepest = Math.max(deepest, ++depth)
    else if (char === ')') depth--
  }
  return deepest
}
