// Tables for those who have none at hand: those of examples/, as files of the page. Must not know what is done with them.
import automobile from '../../../examples/automobile.csv?url';
import breastCancer from '../../../examples/breast-cancer.csv?url';
import wine from '../../../examples/wine.csv?url';

export interface ExampleTable {
  readonly name: string;
  /** What can be predicted. */
  readonly about: string;
  /** Who gathered it: the licence, CC BY 4.0, asks for that. */
  readonly by: string;
  readonly address: string;
}

export const EXAMPLE_TABLES: readonly ExampleTable[] = [
  { name: 'wine.csv', about: 'the grape of a wine', by: 'S. Aeberhard and M. Forina, 1992', address: wine },
  { name: 'automobile.csv', about: 'the price of a car', by: 'J. Schlimmer, 1985', address: automobile },
  {
    name: 'breast-cancer.csv',
    about: 'whether a tumour is malignant',
    by: 'W. Wolberg, O. Mangasarian, N. Street and W. Street, 1993',
    address: breastCancer,
  },
];
