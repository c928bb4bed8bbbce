import { z } from 'zod'
import { LANGUAGES } from '../../../base/texts/texts.ts'
import * as domain from '../../../domain/sources/index.ts'
import { endpoint } from '../http/endpoint.ts'

const Field = z.object({
  name: z
    .string()
    .describe('`account`, `role`, `base_url`, `client_id`, `client_secret`, or that of an option.'),
  is_option: z.boolean().describe('Whether it is given in `options`.'),
  is_required: z.boolean(),
  is_main: z.boolean().describe('Whether people are asked for it at once.'),
  kind: z.string().describe('`text`, `secret`, `number`, `choice` or `flag`; an open list.'),
  label: z.string(),
  hint: z.string().nullable(),
  values: z.array(z.object({ value: z.string(), name: z.string() })).describe('Of a choice.'),
  least: z.number().nullable(),
  most: z.number().nullable(),
  preset: z.string().nullable().describe('What counts where nothing is given.'),
})

const SourceType = z.object({ type: z.string(), name: z.string(), fields: z.array(Field) })

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const toType = ({ type, name, fields }: domain.SourceType): z.infer<typeof SourceType> => ({
  type,
  name,
  fields: fields.map(({ isOption, isRequired, isMain, ...field }) => ({
    ...field,
    name: isOption ? field.name : snake(field.name),
    is_option: isOption,
    is_required: isRequired,
    is_main: isMain,
  })),
})

export const listTypes = endpoint({
  method: 'get',
  path: '/source-types',
  summary: 'Lists the kinds of ERP that can be connected, and what each is asked for',
  scopes: ['sources:manage'],
  query: z.strictObject({
    language: z.enum(LANGUAGES).default('en').describe('Of names, labels and hints.'),
  }),
  answers: { 200: z.object({ data: z.array(SourceType) }) },
  json: async ({ query: { language } }) => ({
    data: (await domain.listTypes(language)).map(toType),
  }),
})
