using {restock.DemandRows} from '../demand';

// One B-tree in the order of the key: half the size, and rows of a block lie side by side.
annotate DemandRows with @sql.append: 'WITHOUT ROWID';
