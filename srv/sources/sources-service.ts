import cds from '@sap/cds'
import { connect } from './connect.ts'
import { listSources, readSource } from './read.ts'
import { remove } from './remove.ts'

export default class SourcesService extends cds.ApplicationService {
  override async init() {
    this.on('connect', ({ data }) => connect(data))
    this.on('list', ({ data }) => listSources(data))
    this.on('find', ({ data }) => readSource(data.ID))
    this.on('remove', ({ data }) => remove(data.ID))
    return super.init()
  }
}
