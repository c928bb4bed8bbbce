/** A list of names, written with spaces and line breaks between them. */
export const names = (text: string): string[] => text.trim().split(/\s+/)
