// The records of NetSuite that a company is shown in, with the columns that are filled.
type Type = 'INTEGER' | 'TEXT' | 'NUMERIC' | 'DATE'

export interface Table {
  columns: Record<string, Type>
  key: string
}

export const SCHEMA: Record<string, Table> = {
  item: {
    columns: {
      ...{
        id: 'INTEGER',
        itemid: 'TEXT',
        displayname: 'TEXT',
        itemtype: 'TEXT',
        isinactive: 'TEXT',
      },
      ...{ unitstype: 'INTEGER', stockunit: 'INTEGER', purchaseunit: 'INTEGER', cost: 'NUMERIC' },
      ...{ averagecost: 'NUMERIC', leadtime: 'INTEGER', reordermultiple: 'NUMERIC' },
      ...{ lastmodifieddate: 'DATE', createddate: 'DATE' },
    },
    key: 'id',
  },
  location: {
    columns: {
      ...{ id: 'INTEGER', name: 'TEXT', fullname: 'TEXT', isinactive: 'TEXT' },
      ...{ subsidiary: 'INTEGER', parent: 'INTEGER' },
    },
    key: 'id',
  },
  vendor: {
    columns: {
      ...{ id: 'INTEGER', entityid: 'TEXT', companyname: 'TEXT', isinactive: 'TEXT' },
      currency: 'INTEGER',
    },
    key: 'id',
  },
  currency: {
    columns: { id: 'INTEGER', name: 'TEXT', symbol: 'TEXT', isbasecurrency: 'TEXT' },
    key: 'id',
  },
  currencyrate: {
    columns: {
      ...{ id: 'INTEGER', basecurrency: 'INTEGER', transactioncurrency: 'INTEGER' },
      ...{ effectivedate: 'DATE', exchangerate: 'NUMERIC' },
    },
    key: 'id',
  },
  unitstypeuom: {
    columns: {
      ...{ internalid: 'INTEGER', unitstype: 'INTEGER', unitname: 'TEXT', abbreviation: 'TEXT' },
      ...{ conversionrate: 'NUMERIC', baseunit: 'TEXT' },
    },
    key: 'internalid',
  },
  itemvendor: {
    columns: {
      ...{ item: 'INTEGER', vendor: 'INTEGER', subsidiary: 'INTEGER', preferredvendor: 'TEXT' },
      purchaseprice: 'NUMERIC',
    },
    key: 'item, vendor, subsidiary',
  },
  aggregateitemlocation: {
    columns: {
      ...{ item: 'INTEGER', location: 'INTEGER', quantityonhand: 'NUMERIC' },
      ...{ quantityavailable: 'NUMERIC', quantityonorder: 'NUMERIC', quantityintransit: 'NUMERIC' },
      ...{
        quantitybackordered: 'NUMERIC',
        reorderpoint: 'NUMERIC',
        preferredstocklevel: 'NUMERIC',
      },
      leadtime: 'INTEGER',
    },
    key: 'item, location',
  },
  inventorynumber: {
    columns: { id: 'INTEGER', item: 'INTEGER', inventorynumber: 'TEXT', expirationdate: 'DATE' },
    key: 'id',
  },
  inventorynumberlocation: {
    columns: { inventorynumber: 'INTEGER', location: 'INTEGER', quantityonhand: 'NUMERIC' },
    key: 'inventorynumber, location',
  },
  transaction: {
    columns: {
      ...{ id: 'INTEGER', type: 'TEXT', tranid: 'TEXT', trandate: 'DATE', status: 'TEXT' },
      ...{ entity: 'INTEGER', memo: 'TEXT', voided: 'TEXT', duedate: 'DATE', shipdate: 'DATE' },
      ...{ createddate: 'DATE', lastmodifieddate: 'DATE', startdate: 'DATE', enddate: 'DATE' },
      ...{ approvalstatus: 'INTEGER', currency: 'INTEGER', transferlocation: 'INTEGER' },
    },
    key: 'id',
  },
  previoustransactionlinelink: {
    columns: {
      ...{ previousdoc: 'INTEGER', previousline: 'INTEGER', previoustype: 'TEXT' },
      ...{ nextdoc: 'INTEGER', nextline: 'INTEGER', nexttype: 'TEXT', linktype: 'TEXT' },
    },
    key: 'previousdoc, previousline, nextdoc, nextline, linktype',
  },
  transactionline: {
    columns: {
      ...{ transaction: 'INTEGER', id: 'INTEGER', mainline: 'TEXT', taxline: 'TEXT' },
      ...{ item: 'INTEGER', location: 'INTEGER', quantity: 'NUMERIC', quantityshiprecv: 'NUMERIC' },
      ...{ isclosed: 'TEXT', isinventoryaffecting: 'TEXT', accountinglinetype: 'TEXT' },
      ...{ createdfrom: 'INTEGER', expectedreceiptdate: 'DATE', expectedshipdate: 'DATE' },
      ...{ foreignamount: 'NUMERIC', dropship: 'TEXT' },
    },
    key: '"transaction", id',
  },
  deletedrecord: {
    columns: { recordid: 'INTEGER', type: 'TEXT', name: 'TEXT', deleteddate: 'DATE' },
    key: 'recordid, type',
  },
}
